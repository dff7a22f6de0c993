// Each kind of hint comes from scripts that really fail, in real sandboxes on each runtime. Words of tools that cannot be run here are
// in test/unit/setup/hints.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SetupRun } from '../../sandbox-engine/contract/model.ts';
import { aptScripts, type FailingScript, programScripts, rightsScripts, shellScripts } from './support/failing-scripts.ts';
import { buildScripts, gitScripts, networkScripts, npmScripts } from './support/failing-tools.ts';
import { hintCodes } from './support/hint-codes.ts';
import { environmentWith, openSetupHouse, testRuntimes } from './support/setup-house.ts';
import { ensureToolImage, hasNpm } from './support/tool-image.ts';

const all: FailingScript[] = [
  ...shellScripts,
  ...rightsScripts,
  ...programScripts,
  ...aptScripts,
  ...gitScripts,
  ...networkScripts,
  ...buildScripts,
  ...npmScripts,
];
const scripts = all.filter(({ needsNpm }) => hasNpm || needsNpm === undefined);
/** One of each kind: the second runtime has to fail alike, not to try each wording again. */
const firstOfEach = scripts.filter(({ code }, index) => scripts.findIndex((one) => one.code === code) === index);
if (!hasNpm) process.stderr.write('this machine has no npm that runs in a sandbox: its failing scripts are left out\n');

/** As many runs as the product starts by hand at a time. */
const atATime = 4;

/** Begins work on all items, some at a time; the promises are in the order of the items. */
const inTurn = <T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R>[] => {
  const lanes: Promise<unknown>[] = Array.from({ length: atATime }, () => Promise.resolve());
  return items.map((item, index) => {
    const before = lanes[index % atATime] ?? Promise.resolve();
    const mine = before.then(() => work(item));
    lanes[index % atATime] = mine.catch(() => undefined);
    return mine;
  });
};

const rounds = testRuntimes.map(({ kind }, index) => ({ kind, rows: index === 0 ? scripts : firstOfEach }));

describe.each(rounds)('hints on $kind', ({ kind, rows }) => {
  let house: Awaited<ReturnType<typeof openSetupHouse>>;
  let runs: Promise<SetupRun>[];
  beforeAll(async () => {
    house = await openSetupHouse(undefined, ensureToolImage);
    runs = inTurn(rows, ({ script, network, timeoutSeconds = 60 }) =>
      house.runToEnd(
        environmentWith(script, {
          ...{ runtime: kind, setup: { script, timeout_seconds: timeoutSeconds } },
          network_policy: network === 'bridge' ? {} : { version: 'v1', rules: [] },
        }),
      ),
    );
    for (const run of runs) run.catch(() => undefined);
  }, 300_000);
  afterAll(async () => {
    await Promise.allSettled(runs);
    await house.close();
  });

  const named = rows.map((row, index) => [row.code, row.script.replaceAll('\n', ' ⏎ '), row, index] as const);
  test.each(named)('%s: %s', async (code, _, { says }, index) => {
    const run = await runs[index];
    expect(run?.hint_code, JSON.stringify([run?.hint, run?.exit_code, run?.failed_command, run?.stderr_tail])).toBe(code);
    expect(`${run?.hint} ${run?.next_action}`).toMatch(says ?? /./);
    expect([run?.status, run?.failure_code]).toEqual(['failed', code === 'egress_blocked' ? 'egress_blocked' : 'environment_setup_failed']);
  });
});

test('every kind of hint that the rules know has a script that really fails', () => {
  const known = hintCodes();
  expect(known.length).toBeGreaterThan(40);
  expect(known.filter((kind) => !all.some(({ code }) => code === kind))).toEqual([]);
});
