// The one door of the renderer to the host: which bridge is used depends only on where the page was opened.
import type { Bridge } from '../../../sandbox-engine/contract/bridge.ts';
import { createElectronLink } from './electron-bridge.ts';
import { createWebLink } from './web-bridge.ts';

/** `lost` means: was open, is being opened again. */
export type LinkStatus = 'connecting' | 'open' | 'lost' | 'refused';

/** A bridge that also tells how the connection is; the newest status is told at once to a new listener. */
export interface HostLink extends Bridge {
  onStatus: (listener: (status: LinkStatus) => void) => () => void;
  /** Where a transfer's bytes are as plain HTTP, at doors that have it: the browser then keeps none of them in memory. */
  transferUrl?: (id: string) => string;
  /** Asks for a folder of this machine, at the door that can; null when none was chosen. */
  chooseFolder?: () => Promise<string | null>;
}

/** Opens the connection to the host: the preload's bridge inside Electron, a WebSocket to where the page came from elsewhere. */
export const connectHost = (): HostLink => {
  const { sandlot } = globalThis as { sandlot?: Bridge };
  if (sandlot) return createElectronLink(sandlot);
  const { protocol, host } = globalThis.location;
  const link = createWebLink(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/v1/socket`);
  return { ...link, transferUrl: (id) => `${globalThis.location.origin}/api/v1/transfers/${id}` };
};
