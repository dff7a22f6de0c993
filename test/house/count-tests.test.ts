// The last line of a test run: what scripts/count-tests.ts makes of the results that the reporter wrote as they came.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestLine } from '../../scripts/test-lines.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'count-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ran = (name: string, status: 'passed' | 'failed' | 'skipped', reasons: string[] = []): TestLine => ({
  ...{ kind: 'test', file: 'a.test.ts', name, status, reasons },
});
const count = async (lines: readonly TestLine[], tail = '') => {
  const file = join(folder, 'run.jsonl');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join('') + tail);
  return await new Promise<{ code: number; last: string; said: string }>((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', 'scripts/count-tests.ts', file], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), last: stdout, said: stderr }),
    );
  });
};

test('a whole run is counted; what was skipped is named', async () => {
  expect(await count([ran('one', 'passed'), ran('two', 'skipped'), { kind: 'end' }])).toEqual({
    ...{ code: 0, last: '1 passed, 0 failed, 1 skipped\n', said: 'skipped: two\n' },
  });
});

test('a run that is cut off has failed, and still tells what passed and why what failed did', async () => {
  const cut = await count([ran('one', 'passed'), ran('two', 'failed', ['because'])], '{"kind":"te');
  expect([cut.code, cut.last]).toEqual([1, '1 passed, 2 failed, 0 skipped\n']);
  expect(cut.said).toMatch(/^failed: a\.test\.ts: two: because\nfailed: \S+: the run was cut off after 2 results\n$/);
});

test('what breaks outside of any test is a failure', async () => {
  const lines: TestLine[] = [ran('one', 'passed'), { kind: 'error', file: 'b.test.ts', reasons: ['no such module'] }, { kind: 'end' }];
  expect(await count(lines)).toEqual({ code: 1, last: '1 passed, 1 failed, 0 skipped\n', said: 'failed: b.test.ts: no such module\n' });
});
