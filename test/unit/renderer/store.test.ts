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
    command_line: '/s/bin/sandlot',
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
  const tell = (name: string, payload: object) => {
    seq += 1;
    listen({ seq, name, payload } as unknown as AppEvent);
  };
  return { host, link, tellRegistry, tell };
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

test('of two events that are taken in together the second is heard with the state after the first', async () => {
  const { link, tell } = fakeHost();
  const { state, listen } = createAppStore(link);
  await vi.waitFor(() => expect(state.getState().seq).toBe(0));
  const heard: string[][] = [];
  listen(({ payload }, before) => heard.push([before.setupRuns['run_1']?.status ?? 'none', (payload as { status: string }).status]));
  for (const status of ['running', 'succeeded', 'succeeded']) tell('setup_run.changed', { id: 'run_1', status });
  await vi.waitFor(() => expect(heard).toHaveLength(3));
  expect(heard).toEqual([
    ['none', 'running'],
    ['running', 'succeeded'],
    ['succeeded', 'succeeded'],
  ]);
});
