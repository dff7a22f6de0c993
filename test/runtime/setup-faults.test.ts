// Setup runs when the disk is full or a GPU is missing, on each runtime, and the same setup on both.
import { describe, expect, test } from 'vitest';
import { SandlotError } from '../../sandbox-engine/base/errors.ts';
import { environmentWith, openSetupHouse, testRuntimes } from './support/setup-house.ts';

describe.each(testRuntimes)('faults on $kind', ({ kind }) => {
  test('a full disk at the commit fails the image, not the script', async () => {
    const full = new SandlotError('disk_full', 'store container as an image: no space left on device');
    const house = await openSetupHouse((runtime) => ({ ...runtime, commitContainer: async () => Promise.reject(full) }));
    const run = await house.runToEnd(environmentWith('echo fine', { runtime: kind }));
    await house.close();
    expect(run).toMatchObject({
      status: 'failed',
      phase: 'commit',
      exit_code: 0,
      failed_line: null,
      failure_code: 'prepared_image_failed',
      hint_code: 'disk_full',
      prepared_image_id: null,
    });
    expect(run.hint).toMatch(/^Setup passed, but its reusable image failed\. The disk is full/);
    expect(run.next_action).toMatch(/unused Sandlot images/);
  });

  test('a script that takes the shell away passes, but gives no image', async () => {
    const house = await openSetupHouse();
    const run = await house.runToEnd(environmentWith('sudo rm /bin/bash', { runtime: kind }));
    const told = await house.linesOf(run.id);
    await house.close();
    expect(run).toMatchObject({ status: 'failed', phase: 'profile', exit_code: 0, failed_line: null, prepared_image_id: null });
    expect(run.hint).toMatch(/no session could start from what it left/);
    expect(told.filter(({ text }) => text.startsWith('Still running'))).toEqual([]);
  });

  test('a GPU that is not there is said to be missing', async () => {
    const house = await openSetupHouse();
    const gpu = { size: 'custom', cpus: 1, memory_gib: 0.5, gpu: true } as const;
    const run = await house.runToEnd(environmentWith('true', { runtime: kind, resources: gpu }));
    await house.close();
    expect(run, run.hint ?? '').toMatchObject({ status: 'failed', phase: 'gpu_check', failure_code: 'gpu_unavailable' });
    expect(run.hint).toMatch(/GPU/);
  });
});

if (testRuntimes.length < 2) process.stderr.write('parity runs need two runtimes: their comparison is left out\n');

test.skipIf(testRuntimes.length < 2)('a parity run gives one row a runtime and the first line that differs', async () => {
  const house = await openSetupHouse();
  const kinds = testRuntimes.map(({ kind }) => kind);
  const report = await house.runs.parity(environmentWith('echo same\ncat /proc/sys/kernel/hostname'), kinds);
  await house.close();
  expect(report.rows.map(({ runtime, status, exit_code }) => [runtime, status, exit_code])).toEqual(
    kinds.map((kind) => [kind, 'succeeded', 0]),
  );
  expect(report.first_difference?.index).toBe(1);
});
