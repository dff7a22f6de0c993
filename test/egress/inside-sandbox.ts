// Runs rows of the corpus inside a real sandbox, behind a real gate: a small program in the sandbox makes the connections as it is told,
// without one variable of a proxy; where such variables lead is read from the sandbox first.
import type { ContainerRuntime, ExecHandle } from '../../sandbox-engine/container/container-runtime.ts';
import { readExec } from '../../sandbox-engine/container/read-exec.ts';
import { nativeSockets } from '../../sandbox-engine/egress/native-sockets.ts';
import type { To } from './corpus/row.ts';
import type { RowConnection } from './gate-client.ts';
import { insideProgram } from './inside-program.ts';
import type { RowPlace } from './run-row.ts';
import type { OpenMore, World } from './world.ts';

type Address = { ip: string; port: number };

/** The program in a sandbox, and the lines that it tells. */
export interface InsideDriver {
  /** Where the sandbox's own proxy variables lead. */
  proxy: Address;
  tell: (line: string) => void;
  /** Calls for each line about one connection from now on, until it is let go of. */
  onLine: (id: number, call: (line: string) => void) => () => void;
  newId: () => number;
  close: () => void;
}

const followLines = async (handle: ExecHandle, take: (id: number, line: string) => void): Promise<void> => {
  let held = '';
  for await (const { bytes } of handle.output) {
    held += bytes.toString('latin1');
    const lines = held.split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) take(Number.parseInt(line, 10), line.replace(/^\d+ /, ''));
  }
};

/** Reads what a process of the sandbox finds in its variables. */
const readProxy = async (runtime: ContainerRuntime, containerId: string): Promise<Address> => {
  const spec = { command: ['printenv', 'HTTPS_PROXY'], user: 'sandbox', workdir: '/', stdin: false };
  const { hostname, port } = new URL((await readExec(runtime, containerId, spec)).trim());
  return { ip: hostname, port: Number(port) };
};

/** Starts the program as its user or as root by sudo. Who starts it closes it. */
export const startInside = async (runtime: ContainerRuntime, containerId: string, as: string[] = []): Promise<InsideDriver> => {
  const proxy = await readProxy(runtime, containerId);
  const command = [...as, 'env', '-i', '/usr/bin/perl', '-e', insideProgram];
  const handle = await runtime.exec(containerId, { command, user: 'sandbox', workdir: '/', stdin: true });
  const calls = new Map<number, Set<(line: string) => void>>();
  let count = 0;
  const over = followLines(handle, (id, line) => {
    for (const call of [...(calls.get(id) ?? [])]) call(line);
  });
  over.catch(() => undefined);
  return {
    proxy,
    tell: (line) => void handle.stdin.write(`${line}\n`),
    onLine: (id, call) => {
      const own = calls.get(id) ?? new Set();
      calls.set(id, own.add(call));
      return () => {
        own.delete(call);
        if (own.size === 0) calls.delete(id);
      };
    },
    newId: () => {
      count += 1;
      return count;
    },
    close: handle.close,
  };
};

const next = (driver: InsideDriver, id: number, isIt: (line: string) => boolean, line: string): Promise<string> =>
  new Promise((resolve) => {
    const letGo = driver.onLine(id, (told) => {
      if (!isIt(told)) return;
      letGo();
      resolve(told);
    });
    driver.tell(line);
  });

const addressOf = async (driver: InsideDriver, id: number, to: To): Promise<Address> => {
  if (to === 'proxy') return driver.proxy;
  if ('address' in to) return { ip: to.address, port: to.port };
  const told = await next(driver, id, (line) => line.startsWith('ip '), `N ${id} ${to.name}`);
  return { ip: told.slice(3), port: to.port };
};

/** What came of one connection so far, and who waits for more. */
const followConnection = (driver: InsideDriver, id: number) => {
  let text = '';
  let over = false;
  const looks = new Set<() => void>();
  const letGo = driver.onLine(id, (line) => {
    if (line.startsWith('D ')) text += Buffer.from(line.slice(2), 'hex').toString('latin1');
    if (line === 'E' || line.startsWith('down')) over = true;
    if (over) letGo();
    for (const look of [...looks]) look();
  });
  const until = (isEnough: (seen: string) => boolean): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!over && !isEnough(text)) return;
        looks.delete(look);
        resolve(text);
      };
      looks.add(look);
      look();
    });
  return { until, text: () => text, isOver: () => over };
};

/** Makes a connection inside the sandbox. */
export const connectInside = async (driver: InsideDriver, to: To): Promise<RowConnection> => {
  const id = driver.newId();
  const { ip, port } = await addressOf(driver, id, to);
  const seen = followConnection(driver, id);
  await next(driver, id, (line) => line === 'up' || line.startsWith('down'), `C ${id} ${ip} ${port}`);
  return {
    ...seen,
    closed: () => seen.until(() => false),
    end: () => driver.tell(`F ${id}`),
    send: (bytes) => driver.tell(`S ${id} ${Buffer.from(bytes as string, 'latin1').toString('hex')}`),
  };
};

/** Whether somebody takes in a connection to the proxy of the sandbox. */
const isTaken = async (driver: InsideDriver): Promise<boolean> => {
  const id = driver.newId();
  const { ip, port } = driver.proxy;
  const told = await next(driver, id, (line) => line === 'up' || line.startsWith('down'), `C ${id} ${ip} ${port}`);
  driver.tell(`X ${id}`);
  return told === 'up';
};

const handsOverMs = 5_000;

const untilTaken = async (driver: InsideDriver, wanted: boolean): Promise<void> => {
  const began = performance.now();
  while ((await isTaken(driver)) !== wanted) {
    if (performance.now() - began > handsOverMs) throw new Error(`The gate ${wanted ? 'hands nothing over' : 'listens on'}.`);
  }
};

/**
 * The rows' place inside a sandbox: for each, the proxy listens anew where the sandbox's gate looks. A gate that hands its sockets over does
 * so within moments, and has let go of the proxy before it first.
 */
export const insideSandbox = (world: World, driver: InsideDriver, socketFolder: string, more: OpenMore = {}): RowPlace => {
  const isHandedOver = more.carried === undefined && nativeSockets() !== null;
  return {
    isInside: true,
    open: async (sandboxId, policy) => {
      if (isHandedOver) await untilTaken(driver, false);
      const folder = await world.openSandbox(sandboxId, policy, more, socketFolder);
      if (isHandedOver) await untilTaken(driver, true);
      return folder;
    },
    connect: (to) => connectInside(driver, to),
  };
};
