// Setup runs when the disk is full or a GPU is missing, and the same setup on both runtimes.
import { describe, expect, test } from 'vitest';
import { SandlotError } from '../../sandbox-engine/base/errors.ts';
import { environmentWith, openSetupHouse, testRuntimes } from './support/setup-house.ts';

describe.skipIf(testRuntimes.length === 0)('faults and comparisons', () => {
  test('a full disk at the commit fails the image, not the script', async () => {
    const full = new SandlotError('disk_full', 'store container as an image: no space left on device');
    const house = await openSetupHouse((runtime) => ({ ...runtime, commitContainer: async () => Promise.reject(full) }));
    const run = await house.runToEnd(environmentWith('echo fine', { runtime: testRuntimes[0]?.kind ?? 'docker' }));
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

  test('a parity run gives one row a runtime and the first line that differs', async () => {
    const house = await openSetupHouse();
    const report = await house.runs.parity(
      environmentWith('echo same\ncat /proc/sys/kernel/hostname'),
      testRuntimes.map(({ kind }) => kind),
    );
    await house.close();
    expect(report.rows.map(({ runtime, status, exit_code }) => [runtime, status, exit_code])).toEqual(
      testRuntimes.map(({ kind }) => [kind, 'succeeded', 0]),
    );
    if (testRuntimes.length > 1) expect(report.first_difference?.index).toBe(1);
  });

  test('a GPU that is not there is said to be missing', async () => {
    const house = await openSetupHouse();
    const run = await house.runToEnd(
      environmentWith('true', {
        runtime: testRuntimes[0]?.kind ?? 'docker',
        resources: { size: 'custom', cpus: 1, memory_gib: 0.5, gpu: true },
      }),
    );
    await house.close();
    expect(run).toMatchObject({ status: 'failed', phase: 'gpu_check', failure_code: 'gpu_unavailable' });
    expect(run.hint).toMatch(/GPU/);
  });
});
