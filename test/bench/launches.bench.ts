// Launches behind a gate, each against what the runtime itself takes: from a sandbox that stands ready, from nothing, and ten at once.
import { once } from 'node:events';
import type { Session } from '../../sandbox-engine/contract/model.ts';
import { type BenchHost, openBenchHost } from './bench-host.ts';
import { type BenchRuntime, benchRuntimes, createRaw, launchRaw, removeRaw } from './bench-runtimes.ts';
import { measureInTurns, type Ratio } from './ratio.ts';

const warmRounds = 5;
const coldRounds = 7;
const tenRounds = 3;
const many = 10;

const gated = {
  network_policy: { version: 'v1' as const, rules: [{ action: 'allow' as const, hosts: ['example.com'], ports: [443] }] },
};

const remove = (host: BenchHost, { id }: Pick<Session, 'id'>) => host.call('sessions.delete', { session_id: id });

/** From the click to the first byte of the shell. */
const launchOnce = async (host: BenchHost, environmentId: string): Promise<{ took: number; session: Session }> => {
  const began = performance.now();
  const { id } = await host.call('sessions.launch', { environment_id: environmentId });
  const terminal = await host.call('terminals.open', { session_id: id, cols: 80, rows: 24 });
  await host.grown(terminal.stream_id, 0);
  return { took: performance.now() - began, session: await host.call('sessions.get', { session_id: id }) };
};

/** Waits until the runtime has a container that runs for no session: what stands ready for the environment. */
const untilWarm = async (host: BenchHost, { client }: BenchRuntime, environmentId: string): Promise<void> => {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const known = new Set((await host.call('sessions.list', {})).sessions.map(({ id }) => id));
    const label = [`dev.sandlot.environment=${environmentId}`, 'dev.sandlot.role=session'];
    const found = await client.listContainers({ filters: { label } });
    if (found.some(({ State, Labels }) => State === 'running' && !known.has(Labels['dev.sandlot.session'] ?? ''))) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  // It is offered when all of it is done, which no runtime tells.
  await new Promise((resolve) => setTimeout(resolve, 300));
};

const launchWarm = async (host: BenchHost, runtime: BenchRuntime, environmentId: string): Promise<number> => {
  await untilWarm(host, runtime, environmentId);
  const { took, session } = await launchOnce(host, environmentId);
  await remove(host, session);
  if (session.warm !== true) throw new Error('The launch did not take the sandbox that stands ready.');
  return took;
};

/** `docker run IMAGE echo` as its client does it: create, attach, start, first byte. */
const runRaw = async (runtime: BenchRuntime, image: string): Promise<number> => {
  const began = performance.now();
  const container = await createRaw(runtime, image, null, { command: ['sh', '-c', 'echo hello; exec sleep 60'] });
  const output = await container.attach({ stream: true, stdout: true, stderr: true });
  const first = once(output, 'data');
  await container.start();
  await first;
  const took = performance.now() - began;
  await removeRaw(container);
  return took;
};

/** The gate that may stand ready is used up by a launch before. */
const launchCold = async (host: BenchHost, environmentId: string): Promise<number> => {
  const before = await launchOnce(host, environmentId);
  const { took, session } = await launchOnce(host, environmentId);
  await Promise.all([remove(host, before.session), remove(host, session)]);
  return took;
};

const ten = <T>(make: (index: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: many }, (_, index) => make(index)));

const launchTen = async (host: BenchHost, environmentId: string): Promise<number> => {
  const began = performance.now();
  const sessions = await ten(async () => {
    const { id } = await host.call('sessions.launch', { environment_id: environmentId });
    const exec = host.call('execs.start', { session_id: id, command: ['true'] });
    const { id: exec_id } = await exec.catch(async (cause: unknown) => {
      throw new Error(`A launch failed: ${(await host.call('sessions.get', { session_id: id })).message}`, { cause });
    });
    await host.call('execs.get', { exec_id, wait_seconds: 60 });
    return await host.call('sessions.get', { session_id: id });
  });
  const took = performance.now() - began;
  await Promise.all(sessions.map((session) => remove(host, session)));
  return took;
};

const rawTen = async (runtime: BenchRuntime, image: string): Promise<number> => {
  const began = performance.now();
  const made = await ten(async (index) => {
    const volume = `sandlot-bench-${process.pid}-${began.toFixed(0)}-${index}`;
    await runtime.client.createVolume({ Name: volume });
    const container = await createRaw(runtime, image, volume, { name: `${volume}-box` });
    await container.start();
    const exec = await container.exec({ AttachStdout: true, Cmd: ['true'], User: 'sandbox' });
    const output = await exec.start({ hijack: true, stdin: false });
    output.resume();
    await once(output, 'end');
    return { container, volume };
  });
  const took = performance.now() - began;
  for (const { container, volume } of made) {
    await removeRaw(container);
    await runtime.client.getVolume(volume).remove();
  }
  return took;
};

const atMost = (ratio: number) => ({ kind: 'at most' as const, ratio });

const onRuntime = async (host: BenchHost, runtime: BenchRuntime): Promise<Ratio[]> => {
  const runtimeId = await host.runtimeId(runtime);
  const open = await host.pinned(runtimeId, 'base: debian\n');
  const image = open.image.image_id ?? '';
  const body = { recipe_yaml: 'base: debian\n', runtime: runtimeId };
  const closed = await host.call('environments.create', { body: { ...body, name: 'gated', ...gated } });
  // The gate's image is made on the way.
  await remove(host, (await launchOnce(host, closed.id)).session);
  const cold = await measureInTurns(coldRounds, {
    ours: () => launchCold(host, closed.id),
    raw: () => launchRaw(runtime, image),
  });
  const tens = await measureInTurns(tenRounds, {
    ours: () => launchTen(host, open.id),
    behind: () => launchTen(host, closed.id),
    raw: () => rawTen(runtime, image),
  });
  const warmed = await host.call('environments.create', { body: { ...body, name: 'warm', warm: true, ...gated } });
  const warm = await measureInTurns(warmRounds, {
    ours: () => launchWarm(host, runtime, warmed.id),
    raw: () => runRaw(runtime, image),
  });
  await host.call('environments.update', { environment_id: warmed.id, patch: { warm: false } });
  const against = `${many} at once by dockerode: volume, create, start, exec \`true\``;
  return [
    {
      what: `Warm launch behind a gate on ${runtime.kind}: \`sessions.launch\`, \`terminals.open\`, first byte of the shell`,
      ...{ ours: warm.ours, baseline: warm.raw, against: 'the same image by `run`: create, attach, start, first byte', bound: atMost(1) },
    },
    {
      what: `Cold launch behind a gate on ${runtime.kind}, until the first byte of the shell`,
      ...{ ours: cold.ours, baseline: cold.raw, against: 'volume, create, start, exec with a terminal by dockerode', bound: atMost(1.6) },
    },
    {
      what: `Ten launches at once on ${runtime.kind}, and \`true\` in each`,
      ours: tens.ours,
      baseline: tens.raw,
      against,
      bound: atMost(1.3),
    },
    { what: `The same behind ten gates on ${runtime.kind}`, ours: tens.behind, baseline: tens.raw, against, bound: null },
  ];
};

/** Measures every runtime that is there. */
export const bench = async (): Promise<Ratio[]> => {
  const host = await openBenchHost();
  try {
    const ratios: Ratio[] = [];
    for (const runtime of benchRuntimes()) ratios.push(...(await onRuntime(host, runtime)));
    return ratios;
  } finally {
    await host.close();
  }
};
