// A real host for tests about secrets: a person's calls in short, everything that the host told, and the hunt for what must not be there.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CallInput } from '../../../sandbox-engine/contract/calls.ts';
import type { EnvironmentView, Session } from '../../../sandbox-engine/contract/model.ts';
import { searchImage } from '../../../sandbox-engine/image/search-image.ts';
import { createFormSearch } from '../../../sandbox-engine/stream/form-search.ts';
import { maskedForms } from '../../../sandbox-engine/stream/secret-forms.ts';
import { createSecretSearch } from '../../../sandbox-engine/stream/secret-search.ts';
import { type RealHost, startRealHost, until } from './real-host.ts';
import { openTestRuntime } from './setup-house.ts';
import type { testRuntimes } from './test-image.ts';

/** The values that are secret in these tests, and must be nowhere. */
export const values = {
  token: 'tok_4f9a2c7d1e',
  dressed: 's3cr3t/+Value==',
  rotated: 'tok_after_rotation_77',
  own: 'only/for+this one=',
} as const;

const all = Object.values(values);
const search = createFormSearch(maskedForms(all).map((form) => Buffer.from(form, 'latin1')));

/** What of a text is a secret in any of its spellings, with a little of what stands around it. */
export const leakIn = (text: string | Buffer): string | null => {
  const bytes = Buffer.from(text);
  const hit = search.next(bytes, 0);
  return hit === null ? null : bytes.toString('latin1', Math.max(0, hit.at - 60), hit.at + hit.length + 20);
};

/** The same for every file below a folder. */
export const leaksInFolder = async (folder: string): Promise<string[]> => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const leaks = await Promise.all(files.map(async ({ parentPath, name }) => leakIn(await readFile(join(parentPath, name)))));
  return leaks.flatMap((leak, at) => (leak === null ? [] : `${files[at]?.name}: ${leak}`));
};

type Place = (typeof testRuntimes)[number];

/** What stands in an image: its variables, and the first secret in any part of it. */
export const lookInto = async (place: Place, image: string) => {
  const runtime = openTestRuntime(place);
  const wanted = createSecretSearch(all.map((value) => ({ name: 'A', value })));
  try {
    const env = (await runtime.inspectImage(image))?.env ?? [];
    return { env, leak: wanted === null ? 'nothing to look for' : await searchImage(await runtime.saveImage(image), wanted, new Set()) };
  } finally {
    runtime.close();
  }
};

/** The first secret in what a plain commit of a container would keep. */
export const leakAfterCommit = async (place: Place, containerId: string) => {
  const runtime = openTestRuntime(place);
  const tag = `sandlot-test/secrets:${containerId.slice(0, 12)}`;
  try {
    return (await lookInto(place, await runtime.commitContainer({ containerId, tag, changes: [] }))).leak;
  } finally {
    await runtime.removeImage(tag, { force: true });
    runtime.close();
  }
};

/** Starts a host over a runtime; `restart` goes on over the same folder after `host().kill()`. */
export const openSecretHost = async (kind: string) => {
  let host: RealHost = await startRealHost();
  const told: string[] = [];
  const listen = (): void =>
    void host.client.subscribe((event) => {
      const { chunk } = event.payload as { chunk?: string };
      told.push(JSON.stringify(event), chunk === undefined ? '' : Buffer.from(chunk, 'base64').toString('latin1'));
    });
  listen();
  let keys = 0;
  const session = (session_id: string) => host.call('sessions.get', { session_id });
  const launchWith = async (asked: CallInput<'sessions.launch'>): Promise<Session> => {
    const { id } = await host.call('sessions.launch', asked);
    const launched = await until(
      () => session(id),
      ({ status }) => status !== 'starting',
    );
    expect([launched.status, launched.message]).toEqual(['running', null]);
    return launched;
  };
  return {
    told,
    host: () => host,
    restart: async (): Promise<void> => {
      host = await startRealHost({ folder: host.folder });
      listen();
    },
    create: (body: Partial<CallInput<'environments.create'>['body']>): Promise<EnvironmentView> =>
      host.call('environments.create', { body: { name: 'secrets', runtime: kind, network_policy: {}, ...body } }),
    set: (name: string, value: string) => host.call('secrets.set', { name, value }),
    session,
    launch: (environment_id: string, secrets: Record<string, string> = {}): Promise<Session> => launchWith({ environment_id, secrets }),
    launchWith,
    remove: (session_id: string) => host.call('sessions.delete', { session_id }),
    /** What a command printed, both streams. */
    shell: async (session_id: string, script: string): Promise<string> => {
      const { id } = await host.call('execs.start', { session_id, command: ['bash', '-c', script] });
      const { stdout_stream_id, stderr_stream_id } = await host.call('execs.get', { exec_id: id, wait_seconds: 30 });
      return (await host.text(stdout_stream_id)) + (await host.text(stderr_stream_id));
    },
    openTerminal: (session_id: string) => host.call('terminals.open', { session_id, cols: 100, rows: 30 }),
    /** The text of a terminal, once it shows that. */
    shows: ({ stream_id }: { stream_id: string }, wanted: RegExp): Promise<string> =>
      until(
        () => host.text(stream_id),
        (text) => wanted.test(text),
        20_000,
      ),
    type: async ({ id }: { id: string }, line: string): Promise<void> => {
      await host.call('terminals.write', { terminal_id: id, data: Buffer.from(`${line}\n`).toString('base64') });
    },
    setupRun: async (environment_id: string) => {
      keys += 1;
      const { id } = await host.call('setup_runs.create', { environment_id, idempotency_key: `run ${keys}` });
      return await until(
        () => host.call('setup_runs.get', { setup_run_id: id }),
        ({ finished_at }) => finished_at !== null,
      );
    },
    build: async (environment_id: string) => {
      const { id } = await host.call('builds.start', { environment_id });
      const built = await until(
        () => host.call('builds.get', { build_id: id }),
        ({ finished_at }) => finished_at !== null,
        200_000,
      );
      expect([built.status, built.error]).toEqual(['succeeded', null]);
      return built;
    },
  };
};

export type SecretHost = Awaited<ReturnType<typeof openSecretHost>>;
