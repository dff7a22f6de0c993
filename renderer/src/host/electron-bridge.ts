// The Electron door as the renderer sees it: the preload's two functions; inside one app the link cannot be lost.
import type { Bridge, Reply } from '../../../sandbox-engine/contract/bridge.ts';
import type { HostLink } from './client.ts';

// Of this door alone, so not in the table of calls; a test compares it with contract/bridge.ts.
const chooseFolderCall = 'door.choose_folder';
type DoorCall = (name: string, input: object) => Promise<Reply<{ folder: string | null }>>;

/** Wraps the preload's bridge as a link that is always open. */
export const createElectronLink = (bridge: Bridge): HostLink => ({
  call: bridge.call,
  subscribe: bridge.subscribe,
  chooseFolder: async () => {
    const reply = await (bridge.call as DoorCall)(chooseFolderCall, {});
    return reply.ok ? reply.value.folder : null;
  },
  onStatus: (listener) => {
    listener('open');
    return () => undefined;
  },
});
