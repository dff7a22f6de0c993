// The policy proxy against a naive Node proxy and, where it is installed, squid: requests, tunnels, fairness, first bytes, memory, floods.
// Each stands in a process of its own before the same servers; ours is reached as from behind a gate, by sockets that were handed to it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess as end, firstWord, runProcess as run } from './bench-processes.ts';
import { openNetworkApart } from './network-apart.ts';
import { measureInTurns, median, type Ratio } from './ratio.ts';

const rounds = 3;
/** The 99th of 100 moves more than a rate. */
const lateRounds = 5;
const squidProgram = '/usr/sbin/squid';

interface Contender {
  name: 'ours' | 'naive' | 'squid';
  target: object;
  /** How its client is started, and that of another sandbox. */
  enter?: string[];
  enterSecond?: string[];
  pid: number;
  close: () => Promise<void>;
}

type Side = Pick<Contender, 'target' | 'enter'>;

const client = (kind: string, { target, enter = [] }: Side, port: number, count: number) =>
  run('egress-load-process.ts', [kind, JSON.stringify(target), String(port), String(count)], ['--max-semi-space-size=64'], enter);

const load = async <T>(kind: string, side: Side, port: number, count: number): Promise<T> => {
  const child = client(kind, side, port, count);
  const answer = await firstWord<T>(child);
  await end(child);
  return answer;
};

const startOurs = async (ports: number[]): Promise<Contender> => {
  const child = run('egress-ours-process.ts', ports.map(String));
  const { folders } = await firstWord<{ folders: string[] }>(child);
  const networks = await Promise.all(folders.map((folder) => openNetworkApart(join(folder, 'hand.sock'))));
  const [enter = [], enterSecond = []] = networks.map((network) => network.enter);
  const close = async () => {
    await end(child);
    for (const network of networks) await end(network.process);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
  const target = { address: '198.18.0.1', port: 3128, host: 'bench.test' };
  return { name: 'ours', target, enter, enterSecond, pid: child.pid ?? 0, close };
};

const startNaive = async (): Promise<Contender> => {
  const child = run('egress-naive-process.ts', []);
  const { port } = await firstWord<{ port: number }>(child);
  return { name: 'naive', target: { port, host: '127.0.0.1' }, pid: child.pid ?? 0, close: () => end(child) };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => setTimeout(() => resolve(false), 50));
  });

const startSquid = async (): Promise<Contender | null> => {
  if (!existsSync(squidProgram)) {
    process.stderr.write('bench: squid is not installed, so nothing is compared with it.\n');
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'sandlot-bench-squid-'));
  const port = await freePort();
  const config = [
    ...[
      `http_port 127.0.0.1:${port}`,
      'http_access allow all',
      'cache deny all',
      'cache_mem 8 MB',
      'access_log none',
      'cache_log /dev/null',
    ],
    ...['pid_filename none', 'shutdown_lifetime 0 seconds', 'max_filedescriptors 8192', 'pinger_enable off', `coredump_dir ${folder}`],
  ];
  writeFileSync(join(folder, 'conf'), `${config.join('\n')}\n`);
  const child = spawn(squidProgram, ['-N', '-n', `bench${process.pid}`, '-f', join(folder, 'conf')], { stdio: 'ignore' });
  while (!(await answers(port))) if (child.exitCode !== null) throw new Error('squid did not start.');
  const close = async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  return { name: 'squid', target: { port, host: '127.0.0.1' }, pid: child.pid ?? 0, close };
};

const residentMiB = (pid: number): number => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

interface Ports {
  source: number;
  echo: number;
  web: number;
}
type Medians = Partial<Record<Contender['name'], number>>;

const inTurns = (contenders: Contender[], measure: (contender: Contender) => Promise<number>, times = rounds): Promise<Medians> =>
  measureInTurns(times, Object.fromEntries(contenders.map((contender) => [contender.name, () => measure(contender)])));

const inWords = { naive: 'a naive Node proxy (`http`, `net`, `pipe`)', squid: 'squid' };

/** A row for each rival that was measured. */
const against = (what: string, medians: Medians, bounds: Partial<Record<'naive' | 'squid', Ratio['bound']>>): Ratio[] =>
  (['naive', 'squid'] as const).flatMap((rival) => {
    const baseline = medians[rival];
    return baseline === undefined
      ? []
      : [{ what, ours: medians.ours ?? Number.NaN, baseline, against: inWords[rival], bound: bounds[rival] ?? null }];
  });

const atLeast = (ratio: number): Ratio['bound'] => ({ kind: 'at least', ratio });
const atMost = (ratio: number): Ratio['bound'] => ({ kind: 'at most', ratio });

const measureTunnels = async (contenders: Contender[], { source }: Ports): Promise<Ratio[]> => {
  const one = await inTurns(contenders, async (side) => (await load<{ rate: number }>('pour', side, source, 1)).rate);
  const shares: Record<string, number[]> = {};
  const many = await inTurns(contenders, async ({ name, ...side }) => {
    const { rate, fairness } = await load<{ rate: number; fairness: number }>('pour', side, source, 200);
    shares[name] = [...(shares[name] ?? []), fairness];
    return rate;
  });
  const fairness = (name: Contender['name']): number => median(shares[name] ?? []);
  const share = 'The slowest of 200 tunnels to the fastest';
  return [
    ...against('One tunnel, bytes a second', one, { naive: atLeast(1.3) }),
    ...against('200 tunnels, bytes a second', many, { squid: atLeast(1) }),
    { what: share, ours: fairness('ours'), baseline: 1, against: 'all alike', bound: atLeast(0.5) },
    { what: `${share}, in the naive proxy`, ours: fairness('naive'), baseline: 1, against: 'all alike', bound: null },
  ];
};

const measureRequests = async (contenders: Contender[], { echo, web }: Ports): Promise<Ratio[]> => {
  const asked = await inTurns(contenders, async (side) => (await load<{ rate: number }>('ask', side, web, 50)).rate);
  const medians: Medians = {};
  const late = await inTurns(contenders, async (side) => (await load<{ p99: number }>('knock', side, echo, 2_000)).p99, lateRounds);
  Object.assign(medians, late);
  return [
    ...against('HTTP requests a second on 50 kept connections', asked, { squid: atLeast(1) }),
    ...against('CONNECT, a byte there and back: the 99th of 100, one after the other', medians, { squid: atMost(1) }),
  ];
};

const measureMemory = async (ours: Contender, { echo }: Ports): Promise<Ratio> => {
  const before = residentMiB(ours.pid);
  const child = client('hold', ours, echo, 1_000);
  await firstWord(child);
  const grown = residentMiB(ours.pid) - before;
  await end(child);
  return {
    what: 'Growth of the resident memory by 1,000 idle tunnels',
    ours: grown,
    baseline: 30,
    against: 'the limit of 30 MiB',
    bound: atMost(1),
  };
};

const measureFlood = async (ours: Contender, { echo }: Ports): Promise<Ratio> => {
  const knock = async () => (await load<{ p95: number }>('knock', { target: ours.target, enter: ours.enterSecond ?? [] }, echo, 500)).p95;
  const quiet = await knock();
  const child = client('flood', ours, echo, 10_000);
  await firstWord(child);
  const flooded = await knock();
  await end(child);
  return {
    what: 'CONNECT and a byte for one sandbox while another connects as often as it can: the 95th of 100',
    ...{ ours: flooded, baseline: quiet, against: 'the same without the other', bound: atMost(2) },
  };
};

/** Measures on the loopback of this machine. */
export const bench = async (): Promise<Ratio[]> => {
  const origin = run('egress-origin-process.ts', []);
  const contenders: Contender[] = [];
  try {
    const ports = await firstWord<Ports>(origin);
    const ours = await startOurs([ports.source, ports.echo, ports.web]);
    contenders.push(ours, await startNaive());
    const squid = await startSquid();
    if (squid !== null) contenders.push(squid);
    return [
      ...(await measureTunnels(contenders, ports)),
      ...(await measureRequests(contenders, ports)),
      await measureMemory(ours, ports),
      await measureFlood(ours, ports),
    ];
  } finally {
    for (const contender of contenders.reverse()) await contender.close();
    await end(origin);
  }
};
