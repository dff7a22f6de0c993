// The window's state over a host that is only a link: what makes it read everything anew.
import { expect, test, vi } from 'vitest';
import type { HostLink } from '../../../renderer/src/host/client.ts';
import { createAppStore } from '../../../renderer/src/store/store.ts';
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';
import type { RegistryState } from '../../../sandbox-engine/contract/model.ts';

const registry = (kept_aside: string | null): RegistryState => ({ status: 'ok', message: '', kept_aside, backups: [] });

/** A host whose environments are those of the registry file in use; `answers` can be made to fail. */
const fakeHost = () => {
  const host = { environments: ['env_a'], keptAside: null as string | null, fails: false };
  let listen: (event: AppEvent) => void = () => undefined;
  let seq = 0;
  const snapshot = () => ({
    agents: [],
    seq,
    version: '1',
    data_folder: '/d',
    registry: registry(host.keptAside),
    environments: host.environments.map((id) => ({ id })),
    environments_total: host.environments.length,
    ...{ runtimes: [], sessions: [], terminals: [], builds: [], setup_runs: [], bases: [] },
  });
  const failure = { code: 'internal', message: 'The disk is on fire.', details: {}, next_action: null, request_id: '' };
  const link = {
    call: async () => (host.fails ? { ok: false, error: failure } : { ok: true, value: snapshot() }),
    subscribe: (listener: (event: AppEvent) => void) => {
      listen = listener;
      return () => undefined;
    },
    onStatus: (listener: (status: 'open') => void) => {
      queueMicrotask(() => listener('open'));
      return () => undefined;
    },
  } as unknown as HostLink;
  const tellRegistry = () => {
    seq += 1;
    listen({ seq, name: 'registry.changed', payload: registry(host.keptAside) });
  };
  return { host, link, tellRegistry };
};

test('after a restore the window shows the environments of the restored registry, not those before it', async () => {
  const { host, link, tellRegistry } = fakeHost();
  const { state } = createAppStore(link);
  await vi.waitFor(() => expect(Object.keys(state.getState().environments)).toEqual(['env_a']));
  host.environments = ['env_b', 'env_c'];
  host.keptAside = '/d/kept-aside/registry.db';
  tellRegistry();
  await vi.waitFor(() => expect(Object.keys(state.getState().environments)).toEqual(['env_b', 'env_c']));
});

test('a snapshot that is refused is said', async () => {
  const { host, link } = fakeHost();
  host.fails = true;
  const said: string[] = [];
  createAppStore(link).onNotice(({ message }) => said.push(message));
  await vi.waitFor(() => expect(said).toEqual(['What the host knows could not be read. The disk is on fire.']));
});
