// A gate with a sandbox behind it, from nothing until the sandbox runs, against one container on the bridge; and the same with a gate that
// stands ready.
import { type BenchRuntime, benchRuntimes } from './bench-runtimes.ts';
import { openYard, type Yard, type YardContainer } from './gate-yard.ts';
import { measureInTurns, type Ratio } from './ratio.ts';

const rounds = 7;

const timed = async (open: () => Promise<YardContainer>, close: (made: YardContainer) => Promise<void>): Promise<number> => {
  const began = performance.now();
  const made = await open();
  const took = performance.now() - began;
  await close(made);
  return took;
};

const startBehind = (yard: Yard, sandboxId: string): Promise<number> =>
  timed(
    () => yard.openBehind(sandboxId),
    async (made) => {
      await yard.remove(made);
      await yard.closeGate(sandboxId);
    },
  );

const onRuntime = async (runtime: BenchRuntime): Promise<Ratio[]> => {
  const yard = await openYard(runtime);
  try {
    const { cold, warm, bridge } = await measureInTurns(rounds, {
      cold: () => startBehind(yard, yard.newId()),
      warm: async () => startBehind(yard, await yard.prepare()),
      bridge: () => timed(yard.openOnBridge, yard.remove),
    });
    const rival = { baseline: bridge, against: 'one container on the bridge; same image and options' };
    return [
      {
        what: `Gate and sandbox on ${runtime.kind}, until the sandbox runs`,
        ...{ ours: cold, ...rival, bound: { kind: 'at most' as const, ratio: 1.1 } },
      },
      {
        what: `The same on ${runtime.kind} with a gate that stands ready`,
        ...{ ours: warm, ...rival, bound: { kind: 'at most' as const, ratio: 1 } },
      },
    ];
  } finally {
    await yard.close();
  }
};

/** Measures every runtime that is there. */
export const bench = async (): Promise<Ratio[]> => {
  const ratios: Ratio[] = [];
  for (const runtime of benchRuntimes()) ratios.push(...(await onRuntime(runtime)));
  return ratios;
};
