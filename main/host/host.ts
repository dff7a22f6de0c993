// One host a data folder: takes the lock, opens the engine, answers at the socket, and closes all in reverse order.
// Doors (web, electron) are opened by the entries; the host only counts who came in.
import { join } from 'node:path';
import type { EventBus } from '../../sandbox-engine/index.ts';
import { type Engine, type EngineOptions, type KeyProtector, SandlotError } from '../../sandbox-engine/index.ts';
import { findHost, type HostClient } from './connect-host.ts';
import { inDataFolder, makePrivateFolder, resolveDataFolder, resolveRunFolder, resolveSocketPath } from './data-folder.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';
import { type HostLock, takeHostLock } from './host-lock.ts';
import { type HostLog, openHostLog } from './host-log.ts';
import { newRequestId } from './request-id.ts';
import { type Control, type ControlName, openSocketDoor } from './socket-door.ts';

export interface Host {
  dataFolder: string;
  dispatch: Dispatch;
  events: Pick<EventBus, 'subscribe'>;
  log: HostLog;
  /** What other processes of Sandlot may ask; the entry adds what its doors can do. */
  controls: Map<ControlName, Control>;
  /** Says that a client came; the returned function says that it left. */
  enter: () => () => void;
  /** Nobody is connected and nothing is at work. */
  isIdle: () => Promise<boolean>;
  /** Runs before the engine closes, the newest first. */
  onClose: (run: () => Promise<void> | void) => void;
  /** Closes doors, then the engine; the second call waits for the first. */
  close: (options?: { stopSessions?: boolean }) => Promise<void>;
  closed: Promise<void>;
}

export interface HostOptions {
  env: NodeJS.ProcessEnv;
  version: string;
  /** What one types to call the command line; default `sandlot`. */
  commandLine?: string;
  openEngine: (options: EngineOptions) => Promise<Engine>;
  /** Default: what `SANDLOT_HOME` and the system say. */
  dataFolder?: string;
  checkOutputs?: boolean;
  /** Wraps the key to the secrets; without one it stands in a file for its owner only. */
  keyProtector?: KeyProtector;
  /** How long to wait for a host that holds the lock but does not answer yet. */
  joinTimeoutMs?: number;
}

/** Either we are the host now, or another process is and we hold a line to it. */
export type HostStart = { kind: 'started'; host: Host } | { kind: 'joined'; client: HostClient };

const takeLockOrJoin = async (dataFolder: string, socketPath: string, timeoutMs: number): Promise<HostLock | HostClient> => {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const client = await findHost(socketPath);
    if (client !== null) return client;
    const lock = await inDataFolder(dataFolder, () => takeHostLock(dataFolder));
    if (lock !== null) return lock;
    if (performance.now() > deadline) {
      throw new SandlotError('host_already_running', `Another process holds ${join(dataFolder, 'host.lock')} but does not answer.`, {
        nextAction: `End the process named in that file, then start again.`,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const makeHost = (engine: Engine, dataFolder: string, log: HostLog, release: () => Promise<void>, checkOutputs: boolean): Host => {
  const closers: (() => Promise<void> | void)[] = [];
  let clients = 0;
  let closing: Promise<void> | null = null;
  let tellClosed: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve;
  });
  const attempt = async (what: string, run: () => Promise<void> | void): Promise<void> => {
    try {
      await run();
    } catch (error) {
      log.error({ error }, `${what} did not close`);
    }
  };
  const closeAll = async (stopSessions: boolean): Promise<void> => {
    for (const run of closers.reverse()) await attempt('a door', run);
    await attempt('the engine', async () => await engine.close({ stopSessions }));
    await attempt('the lock', release);
    log.info({}, 'the host has ended');
    log.close();
    tellClosed();
  };
  return {
    dataFolder,
    log,
    events: engine.events,
    dispatch: createDispatch({
      handlers: engine.handlers,
      newRequestId,
      checkOutputs,
      redactText: engine.redactText,
      onUnexpected: (error, call, requestId) => log.error({ error, call, requestId }, 'a call failed unexpectedly'),
    }),
    controls: new Map([['hello', async () => ({ pid: process.pid })]]),
    enter: () => {
      clients += 1;
      return () => {
        clients -= 1;
      };
    },
    isIdle: async () => clients === 0 && !(await engine.isBusy()),
    onClose: (run) => void closers.push(run),
    close: async ({ stopSessions = false } = {}) => {
      closing ??= closeAll(stopSessions);
      await closing;
    },
    closed,
  };
};

/** Becomes the host of the data folder, or joins the one that already is. @throws host_already_running, registry_locked */
export const startHost = async (options: HostOptions): Promise<HostStart> => {
  const { env, version, commandLine = 'sandlot', joinTimeoutMs = 20_000, checkOutputs = false } = options;
  const dataFolder = options.dataFolder ?? resolveDataFolder(env);
  const runFolder = resolveRunFolder(dataFolder, env);
  const socketPath = resolveSocketPath(dataFolder, env);
  await makePrivateFolder(dataFolder);
  const taken = await takeLockOrJoin(dataFolder, socketPath, joinTimeoutMs);
  if ('call' in taken) return { kind: 'joined', client: taken };
  const log = openHostLog(dataFolder);
  try {
    await makePrivateFolder(runFolder);
    let host: Host | null = null;
    const onShutdown = (stopSessions: boolean) => void setImmediate(() => void host?.close({ stopSessions }));
    const { keyProtector } = options;
    const protection = keyProtector === undefined ? {} : { keyProtector };
    const engine = await options.openEngine({ dataFolder, runFolder, env, version, commandLine, ...protection, onShutdown });
    log.maskWith(engine.redactText);
    host = makeHost(engine, dataFolder, log, taken.release, checkOutputs);
    const door = await openSocketDoor(host, socketPath);
    host.onClose(door.close);
    log.info({ dataFolder, version }, 'the host has started');
    return { kind: 'started', host };
  } catch (thrown) {
    await taken.release();
    log.error({ error: thrown }, 'the host did not start');
    log.close();
    throw thrown;
  }
};
