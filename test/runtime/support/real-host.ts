// A real host process over a data folder of the test, and a line to it: what a stranger's program has in its hand.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectHost, type HostClient } from '../../../main/host/connect-host.ts';
import type { CallInput, CallName, CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import { programArgs } from './program.ts';

export interface RealHost {
  folder: string;
  process: ChildProcess;
  client: HostClient;
  call: <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>;
  /** The error of a call that must fail. */
  refusal: <N extends CallName>(name: N, input: CallInput<N>) => Promise<ErrorBody>;
  /** All of a stream that is kept. */
  text: (streamId: string) => Promise<string>;
  /** As a crash of the machine would. */
  kill: () => Promise<void>;
  /** Ends in order; `stopSessions` stops them. */
  shutdown: (stopSessions?: boolean) => Promise<void>;
}

const connect = async (child: ChildProcess, socket: string, said: () => string): Promise<HostClient> => {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline && child.exitCode === null; ) {
    const client = await connectHost(socket);
    if (client !== null) return client;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the host did not start: ${said()}`);
};

/** Makes a data folder that the test removes. */
export const newFolder = async (): Promise<string> => await mkdtemp(join(tmpdir(), 'sandlot-host-'));

/** Starts a host over a folder; a new one when none is given. */
export const startRealHost = async (given: { folder?: string; env?: NodeJS.ProcessEnv } = {}): Promise<RealHost> => {
  const folder = given.folder ?? (await newFolder());
  const env = { ...process.env, ...given.env, SANDLOT_HOME: folder };
  const args = [...programArgs('headless'), '--background', '--idle-seconds', '600'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => {
    said += String(data);
  });
  const ended = once(child, 'exit');
  const client = await connect(child, join(folder, 'host.sock'), () => said);
  const call: RealHost['call'] = async (name, input) => {
    const reply = await client.call(name, input);
    if (!reply.ok) throw Object.assign(new Error(`${name}: ${reply.error.message}`), { code: reply.error.code });
    return reply.value;
  };
  return {
    ...{ folder, process: child, client, call },
    refusal: async (name, input) => {
      const reply = await client.call(name, input);
      if (reply.ok) throw new Error(`${name} was not refused`);
      return reply.error;
    },
    text: async (streamId) => {
      const parts: Buffer[] = [];
      for (let from = 0; ; ) {
        const { data, next, size } = await call('stream.read', { stream_id: streamId, from, max_bytes: 4_194_304 });
        parts.push(Buffer.from(data, 'base64'));
        from = next;
        if (next >= size) return Buffer.concat(parts).toString('utf8');
      }
    },
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
    shutdown: async (stopSessions = false) => {
      await client.call('app.shutdown', { stop_sessions: stopSessions });
      await ended;
    },
  };
};

/** Removes what the test left in the folder's runtimes, ends the host, removes the folder. */
export const removeRealHost = async (host: RealHost): Promise<void> => {
  const { sessions } = await host.call('sessions.list', {});
  for (const { id } of sessions) await host.client.call('sessions.delete', { session_id: id });
  const { environments } = await host.call('environments.list', { include_archived: true });
  for (const { id } of environments) {
    await host.client.call('pins.remove', { environment_id: id });
    await host.client.call('environments.delete', { environment_id: id });
  }
  await host.client.call('app.prune', { dry_run: false });
  await host.shutdown(true);
  await rm(host.folder, { recursive: true, force: true, maxRetries: 5 });
};

/** Asks a runtime behind Sandlot's back. */
export const askRuntime = async (socketPath: string, method: string, path: string): Promise<unknown> =>
  await new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, headers: { host: 'runtime' } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve(text.trim() === '' ? null : JSON.parse(text)));
    });
    sent.on('error', reject);
    sent.end();
  });

/** A machine that is held still, as one in a cloud is now and then, gives nobody time to answer: more than this does not count at once. */
const longestTickMs = 1_000;

/** Asks again until the answer is as wanted or the time is over; answers the last one. */
export const until = async <T>(read: () => Promise<T>, isDone: (now: T) => boolean, timeoutMs = 120_000): Promise<T> => {
  let [left, before] = [timeoutMs, performance.now()];
  for (;;) {
    const now = await read();
    if (isDone(now) || left <= 0) return now;
    await new Promise((resolve) => setTimeout(resolve, 100));
    const at = performance.now();
    left -= Math.min(at - before, longestTickMs);
    before = at;
  }
};
