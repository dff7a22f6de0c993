// A click on Launch: from the call to the first byte of the shell, against the same calls made by hand.
import { type BenchHost, openBenchHost } from './bench-host.ts';
import { type BenchRuntime, benchRuntimes, launchRaw } from './bench-runtimes.ts';
import { measureInTurns, type Ratio } from './ratio.ts';

const rounds = 15;

const launchOurs = async (host: BenchHost, environmentId: string): Promise<number> => {
  const began = performance.now();
  const session = await host.call('sessions.launch', { environment_id: environmentId });
  const terminal = await host.call('terminals.open', { session_id: session.id, cols: 80, rows: 24 });
  await host.grown(terminal.stream_id, 0);
  const took = performance.now() - began;
  await host.call('sessions.delete', { session_id: session.id });
  return took;
};

const onRuntime = async (host: BenchHost, runtime: BenchRuntime): Promise<Ratio> => {
  const { id, image } = await host.pinned(await host.runtimeId(runtime), 'base: debian\n');
  const { ours, raw } = await measureInTurns(rounds, {
    ours: () => launchOurs(host, id),
    raw: () => launchRaw(runtime, image.image_id ?? ''),
  });
  return {
    what: `Session launch on ${runtime.kind}: \`sessions.launch\`, \`terminals.open\`, first byte of the shell`,
    ...{ ours, baseline: raw, against: 'volume, create, start, exec with a terminal by dockerode; same image and options' },
    bound: { kind: 'at most', ratio: 1.3 },
  };
};

/** Measures every runtime that is there. */
export const bench = async (): Promise<Ratio[]> => {
  const host = await openBenchHost();
  try {
    const ratios: Ratio[] = [];
    for (const runtime of benchRuntimes()) ratios.push(await onRuntime(host, runtime));
    return ratios;
  } finally {
    await host.close();
  }
};
