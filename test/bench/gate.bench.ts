// The way out of a sandbox through its gate and our policy proxy, against a naive Node proxy that is reached over the plain bridge, and against
// the bridge alone. The clients run inside containers; servers and proxies on this machine.
import { lookup } from 'node:dns/promises';
import { endProcess, firstWord, runProcess } from './bench-processes.ts';
import { benchDocker } from './bench-runtimes.ts';
import { openYard, type Yard, type YardContainer, type YardNetwork } from './gate-yard.ts';
import { commandOf, mountsOf } from './node-inside.ts';
import { measureInTurns, median, type Ratio } from './ratio.ts';

const rounds = 5;
const host = 'bench.test';
const address = '20.0.0.10';

interface Ports {
  source: number;
  echo: number;
  web: number;
}

const load = async <T>(client: YardContainer, kind: string, target: object, port: number, count: number): Promise<T> =>
  JSON.parse(await client.run(commandOf([kind, JSON.stringify(target), String(port), String(count)], ['--max-semi-space-size=64']))) as T;

interface Mirror {
  name: string;
  port: number;
  /** Its address in the network of the bench. */
  address: string;
}

/** The hosts and ports from which packages come to this image, as its own tool tells them. */
const mirrorsOf = async (client: YardContainer): Promise<Mirror[]> => {
  const said = await client.run(['apt-get', 'update', '--print-uris'], 'root');
  const origins = [...said.matchAll(/'(https?:[^']+)'/g)].map(([, uri = '']) => new URL(uri).origin);
  return [...new Set(origins)].map((origin, index) => {
    const { hostname, port, protocol } = new URL(origin);
    return { name: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80), address: `20.0.1.${index + 1}` };
  });
};

const gatewayOf = async (): Promise<string> => {
  const { IPAM } = await benchDocker().client.getNetwork('bridge').inspect();
  return IPAM?.Config?.[0]?.['Gateway'] as string;
};

const networkOf = async ({ source, echo, web }: Ports, mirrors: Mirror[]): Promise<YardNetwork> => {
  const toHere = (port: number) => ({ address, port, to: { address: '127.0.0.1', port } });
  const toMirrors = mirrors.map(async (mirror) => {
    const real = await lookup(mirror.name, { family: 4 });
    return { address: mirror.address, port: mirror.port, to: { address: real.address, port: mirror.port } };
  });
  return {
    policy: {
      version: 'v1',
      rules: [
        { action: 'allow', hosts: [host], ports: [source, echo], protocol: 'tcp' },
        { action: 'allow', hosts: [host], ports: [web] },
        ...mirrors.map(({ name, port }) => ({ action: 'allow' as const, hosts: [name], ports: [port] })),
      ],
    },
    names: Object.fromEntries([[host, address], ...mirrors.map((mirror) => [mirror.name, mirror.address])]),
    routes: [...[source, echo, web].map(toHere), ...(await Promise.all(toMirrors))],
  };
};

interface Clients {
  behind: YardContainer;
  /** A second sandbox, behind a gate of its own. */
  other: YardContainer;
  bridge: YardContainer;
}

const ours = { address: '198.18.0.1', port: 3128, host };

const measureWay = async ({ behind, bridge }: Clients, naive: object, { source, echo }: Ports): Promise<Ratio[]> => {
  const knocked = await measureInTurns(rounds, {
    ours: async () => (await load<{ p50: number }>(behind, 'knock', ours, echo, 1_000)).p50,
    naive: async () => (await load<{ p50: number }>(bridge, 'knock', naive, echo, 1_000)).p50,
  });
  const poured = await measureInTurns(rounds, {
    ours: async () => (await load<{ rate: number }>(behind, 'pour', ours, source, 1)).rate,
    naive: async () => (await load<{ rate: number }>(bridge, 'pour', naive, source, 1)).rate,
  });
  const shares: number[] = [];
  const many = await measureInTurns(3, {
    ours: async () => {
      const { rate, fairness } = await load<{ rate: number; fairness: number }>(behind, 'pour', ours, source, 200);
      shares.push(fairness);
      return rate;
    },
    naive: async () => (await load<{ rate: number }>(bridge, 'pour', naive, source, 200)).rate,
  });
  const against = 'a naive Node proxy, reached over the bridge';
  return [
    {
      what: 'Through the gate: CONNECT, a byte there and back',
      ...{ ours: knocked.ours, baseline: knocked.naive, against, bound: { kind: 'at most', ratio: 1.1 } },
    },
    {
      what: 'Through the gate: one tunnel, bytes a second',
      ...{ ours: poured.ours, baseline: poured.naive, against, bound: { kind: 'at least', ratio: 1.3 } },
    },
    { what: 'Through the gate: 200 tunnels, bytes a second', ours: many.ours, baseline: many.naive, against, bound: null },
    {
      what: 'Through the gate: the slowest of 200 tunnels to the fastest',
      ours: median(shares),
      baseline: 1,
      against: 'all alike',
      bound: null,
    },
  ];
};

const updateMs = async (client: YardContainer): Promise<number> => {
  await client.run(['sh', '-c', 'rm -rf /var/lib/apt/lists/*'], 'root');
  const began = performance.now();
  await client.run(['apt-get', '-q', '-o', 'APT::Update::Error-Mode=any', 'update'], 'root');
  return performance.now() - began;
};

const measureUpdate = async ({ behind, bridge }: Clients): Promise<Ratio> => {
  const took = await measureInTurns(3, { ours: () => updateMs(behind), bridge: () => updateMs(bridge) });
  return {
    what: 'Through the gate: `apt-get update`',
    ...{ ours: took.ours, baseline: took.bridge, against: 'the same on the bridge', bound: { kind: 'at most', ratio: 1.05 } },
  };
};

const measureFlood = async ({ behind, other }: Clients, { echo }: Ports): Promise<Ratio> => {
  const knock = async () => (await load<{ p95: number }>(other, 'knock', ours, echo, 300)).p95;
  const quiet = median([await knock(), await knock(), await knock()]);
  const flood = await behind.start(commandOf(['flood', JSON.stringify(ours), String(echo), '10000'], ['--max-semi-space-size=64']));
  const flooded = median([await knock(), await knock(), await knock()]);
  flood.letGo();
  await behind.run(['sh', '-c', 'kill -9 $(pidof node)']);
  return {
    what: 'CONNECT and a byte for one sandbox while another connects 10,000 times a second, both through their gates: the 95th of 100',
    ...{ ours: flooded, baseline: quiet, against: 'the same without the other', bound: { kind: 'at most', ratio: 2 } },
  };
};

const openClients = async (yard: Yard, bridge: YardContainer): Promise<Clients> => {
  const mounts = mountsOf('egress-load-process.ts', yard.folder);
  return { bridge, behind: await yard.openBehind(yard.newId(), mounts), other: await yard.openBehind(yard.newId(), mounts) };
};

/** Measures on Docker. */
export const bench = async (): Promise<Ratio[]> => {
  const gateway = await gatewayOf();
  const origin = runProcess('egress-origin-process.ts', []);
  const rival = runProcess('egress-naive-process.ts', [gateway]);
  const yard = await openYard(benchDocker());
  try {
    const ports = await firstWord<Ports>(origin);
    const { port } = await firstWord<{ port: number }>(rival);
    const bridge = await yard.openOnBridge(mountsOf('egress-load-process.ts', yard.folder));
    yard.setNetwork(await networkOf(ports, await mirrorsOf(bridge)));
    const clients = await openClients(yard, bridge);
    return [
      ...(await measureWay(clients, { address: gateway, port, host: '127.0.0.1' }, ports)),
      await measureUpdate(clients),
      await measureFlood(clients, ports),
    ];
  } finally {
    await yard.close();
    await endProcess(rival);
    await endProcess(origin);
  }
};
