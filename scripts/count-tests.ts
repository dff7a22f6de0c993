// Reads what test-lines.ts wrote and prints the one plain last line of a test run. Failed tests, with why, and skipped ones are named on
// stderr just before it, where a log that was cut still has them.
// A file that is missing or has no end is a failure: a run that broke must not look like a run without tests.
import { readTestLines } from './read-test-lines.ts';
import type { TestLine } from './test-lines.ts';

const longestReason = 1_000;
const count = { passed: 0, failed: 0, skipped: 0 };

const fail = (what: string, reasons: string[] = []): void => {
  count.failed += 1;
  process.stderr.write(`failed: ${[what, reasons.join(' | ').slice(0, longestReason)].filter(Boolean).join(': ')}\n`);
};

const addLine = (line: TestLine): void => {
  if (line.kind === 'error') fail(line.file, line.reasons);
  if (line.kind !== 'test') return;
  if (line.status === 'failed') fail(`${line.file}: ${line.name}`, line.reasons);
  else count[line.status] += 1;
  if (line.status === 'skipped') process.stderr.write(`skipped: ${line.name}\n`);
};

const addRun = (path: string): void => {
  const lines = readTestLines(path);
  lines.forEach(addLine);
  if (lines.at(-1)?.kind !== 'end') fail(`${path}: the run was cut off after ${lines.length} results`);
};

for (const argument of process.argv.slice(2)) {
  try {
    if (argument === '--failed') count.failed += 1;
    else addRun(argument);
  } catch (error) {
    fail(`no test results at ${argument}`, [String(error)]);
  }
}

process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
process.exit(count.failed === 0 && count.passed > 0 ? 0 : 1);
