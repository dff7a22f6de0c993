// Reads vitest's JSON reports and prints the one plain last line of a test run. Failed tests, with why, and skipped ones are named on
// stderr just before it, where a log that was cut still has them.
// A report that is missing or cannot be read is a failure: a run that broke must not look like a run without tests.
import { readFileSync } from 'node:fs';

interface Assertion {
  fullName: string;
  status: 'passed' | 'failed' | 'skipped' | 'pending' | 'todo' | 'disabled';
  failureMessages?: string[];
}
interface Report {
  testResults: { name: string; status: 'passed' | 'failed'; assertionResults: Assertion[] }[];
}

const longestReason = 1_000;
const count = { passed: 0, failed: 0, skipped: 0 };

const addReport = (report: Report): void => {
  for (const file of report.testResults) {
    const before = count.failed;
    for (const { status, fullName, failureMessages = [] } of file.assertionResults) {
      if (status === 'passed') count.passed += 1;
      else if (status === 'failed') {
        count.failed += 1;
        process.stderr.write(`failed: ${file.name}: ${fullName}: ${failureMessages.join(' | ').slice(0, longestReason)}\n`);
      } else {
        count.skipped += 1;
        process.stderr.write(`skipped: ${fullName}\n`);
      }
    }
    // A file that could not even be loaded has no assertions and would otherwise not be counted at all.
    if (file.status === 'failed' && count.failed === before) count.failed += 1;
  }
};

for (const argument of process.argv.slice(2)) {
  if (argument === '--failed') {
    count.failed += 1;
    continue;
  }
  try {
    addReport(JSON.parse(readFileSync(argument, 'utf8')) as Report);
  } catch (error) {
    process.stderr.write(`no test report at ${argument}: ${String(error)}\n`);
    count.failed += 1;
  }
}

process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
process.exit(count.failed === 0 && count.passed > 0 ? 0 : 1);
