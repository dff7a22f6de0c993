// Networks for tests that are about something else: what is not open has no network at all, the way it is where no gate was made yet.
import { openNetwork, type SandboxNetworks } from '../../../sandbox-engine/container/sandbox-network.ts';

export const noGates: SandboxNetworks = {
  takeReady: () => null,
  reserve: async () => null,
  open: async () => ({ way: 'none', join: { ...openNetwork, network: 'none' }, proven: Promise.resolve() }),
  reopen: async () => ({ join: { ...openNetwork, network: 'none' }, undo: async () => undefined, done: async () => undefined }),
  resume: async (_owner, _containerId, start) => await start(),
  heal: async () => ({ state: 'whole' }),
  probe: async () => ({ at: new Date().toISOString(), passed: 1, total: 1, probes: [] }),
  endObservation: async () => undefined,
  rest: async () => undefined,
  close: async () => undefined,
  removeOrphans: async () => undefined,
};
