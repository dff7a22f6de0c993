// A million lines of a hundred bytes out of a container: kept in a stream, and as a log of indexed lines, against reading and splitting
// the same exec by hand. All in this process, so that the processor's share is the same.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { systemClock } from '../../sandbox-engine/base/clock.ts';
import type { ContainerRuntime } from '../../sandbox-engine/container/container-runtime.ts';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { pump } from '../../sandbox-engine/session/pump.ts';
import { createLineLog } from '../../sandbox-engine/stream/line-log.ts';
import { readLinePage } from '../../sandbox-engine/stream/line-page.ts';
import { createRedactor } from '../../sandbox-engine/stream/redact.ts';
import type { StreamStore } from '../../sandbox-engine/stream/stream.ts';
import { createStreamStore } from '../../sandbox-engine/stream/stream-store.ts';
import { type BenchRuntime, benchDocker, removeRaw } from './bench-runtimes.ts';
import { measureInTurns, type Ratio } from './ratio.ts';

const rounds = 11;
const lines = 1_000_000;
const lineBytes = 100;
const command = ['sh', '-c', `yes ${'x'.repeat(lineBytes - 1)} | head -c ${lines * lineBytes}`];
const LF = 0x0a;
const mostUnderway = 262_144;

const expectCount = (seen: number, wanted: number): void => {
  if (seen !== wanted) throw new Error(`${seen} came instead of ${wanted}.`);
};

const readRaw = async ({ client }: BenchRuntime, containerId: string): Promise<number> => {
  const began = performance.now();
  const exec = await client.getContainer(containerId).exec({ Cmd: command, AttachStdout: true, AttachStderr: true });
  const socket = await exec.start({ hijack: true, stdin: false });
  let count = 0;
  let rest: Buffer = Buffer.alloc(0);
  const split = new Writable({
    write: (bytes: Buffer, _encoding, done) => {
      const whole = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      let at = 0;
      for (let end = whole.indexOf(LF); end >= 0; end = whole.indexOf(LF, at)) {
        if (whole.subarray(at, end).length > 0) count += 1;
        at = end + 1;
      }
      rest = whole.subarray(at);
      done();
    },
  });
  client.modem.demuxStream(socket, split, split);
  socket.on('end', () => split.end());
  await finished(split);
  const took = performance.now() - began;
  expectCount(count, lines);
  return took;
};

const keepStream = async (runtime: ContainerRuntime, store: StreamStore, containerId: string): Promise<number> => {
  const began = performance.now();
  const writer = await store.create('str_lines', { keep: 'head', maxBytes: 2 * lines * lineBytes });
  const handle = await runtime.exec(containerId, { command, stdin: false });
  await pump(handle.output, () => writer);
  await writer.end();
  const took = performance.now() - began;
  expectCount((await store.read('str_lines', 0, 1)).size, lines * lineBytes);
  await store.remove('str_lines');
  return took;
};

const keepLines = async (runtime: ContainerRuntime, store: StreamStore, containerId: string): Promise<number> => {
  const began = performance.now();
  const log = await createLineLog({
    ...{ store, id: 'str_log', redactor: createRedactor([]), clock: systemClock, maxBytes: 2 * lines * lineBytes },
  });
  const handle = await runtime.exec(containerId, { command, stdin: false });
  let underway = 0;
  // Waits as often as a setup run does.
  for await (const { stream, bytes } of handle.output) {
    const taken = log.append(stream, bytes);
    underway += bytes.length;
    if (underway >= mostUnderway) {
      underway = 0;
      await taken;
    }
  }
  await log.end();
  const took = performance.now() - began;
  const { lines: last } = await readLinePage(store, 'str_log', { after: lines - 1, limit: 10 });
  expectCount(log.count(), lines);
  expectCount(last[0]?.text.length ?? 0, lineBytes - 1);
  await store.remove('str_log');
  return took;
};

const measure = async (docker: BenchRuntime, store: StreamStore): Promise<Record<'raw' | 'stream' | 'log', number>> => {
  const connection = { kind: 'socket', address: `unix://${docker.socket}`, socketPath: docker.socket } as const;
  const runtime = createDockerRuntime({ id: 'docker', kind: 'docker', connection });
  const container = await docker.client.createContainer({ Image: 'debian:bookworm-slim', Cmd: ['sleep', 'infinity'] });
  try {
    await container.start();
    return await measureInTurns(rounds, {
      raw: () => readRaw(docker, container.id),
      stream: () => keepStream(runtime, store, container.id),
      log: () => keepLines(runtime, store, container.id),
    });
  } finally {
    await removeRaw(container);
    runtime.close();
  }
};

/** Measures on Docker. */
export const bench = async (): Promise<Ratio[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-lines-'));
  const store = createStreamStore({ folder, onGrew: () => undefined });
  try {
    const took = await measure(benchDocker(), store);
    // Throughput is one over time, so the pair is turned round.
    const row = (what: string, ours: number): Ratio => ({
      what,
      ...{ ours: 1 / ours, baseline: 1 / took.raw, against: 'the same exec demultiplexed and split by dockerode, nothing kept' },
      bound: { kind: 'at least', ratio: 0.7 },
    });
    return [
      row('A million lines of 100 bytes kept in a stream, lines a second', took.stream),
      row('The same through the line log: kept, indexed, readable by number', took.log),
    ];
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
};
