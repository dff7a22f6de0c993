// How the scripts speak while something takes long: whole lines on stderr, nothing on stdout, and the code of what was run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Runs lines of bash after scripts/say.sh, in which `said` is the file that stderr goes to and ten ticks take a tenth of a second. */
const run = (lines: string): { status: number | null; stdout: string; said: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'sandlot-say-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const said = join(folder, 'said');
  const script = `set -euo pipefail; source scripts/say.sh; tick_seconds=0.01; said=${said}; exec 2>"$said"\n${lines}`;
  const { status, stdout } = spawnSync('bash', ['-c', script], { cwd: root, encoding: 'utf8', timeout: 10_000 });
  return { status, stdout, said: readFileSync(said, 'utf8') };
};

test('a long piece of work is told while it goes on, and its code is the code', () => {
  const { status, stdout, said } = run(`
    until_told() { until grep -q 'so far' "$said"; do :; done; return 3; }
    code=0; patient 'working' until_told || code=$?; echo "the last line"; exit "$code"`);
  expect([status, stdout]).toEqual([3, 'the last line\n']);
  expect(said).toMatch(/^( {2}working: \d+ s so far\n)+$/);
});

test('a short one says nothing of itself, and what fails inside it ends the whole', () => {
  const { status, stdout, said } = run(`patient 'working' true; give_up() { fail 'no'; }; patient 'working' give_up; echo 'not said'`);
  expect([status, stdout, said]).toEqual([1, '', 'sandlot: no\n']);
});
