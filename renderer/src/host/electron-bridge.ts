// The Electron door as the renderer sees it: the preload's two functions; inside one app the link cannot be lost.
import type { Bridge } from '../../../sandbox-engine/contract/bridge.ts';
import type { HostLink } from './client.ts';

/** Wraps the preload's bridge as a link that is always open. */
export const createElectronLink = (bridge: Bridge): HostLink => ({
  call: bridge.call,
  subscribe: bridge.subscribe,
  onStatus: (listener) => {
    listener('open');
    return () => undefined;
  },
});
