// A reporter of vitest that writes each result at once, one JSON line a test, into the file that SANDLOT_TEST_LINES names: a run that
// is cut off or crashes has still said what passed, and why what failed did. A run that came to its end says so in its last line.
import { appendFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** One line of such a file. `error` has no test: a file that does not load, a hook, a promise nobody waited for. */
export type TestLine =
  | { kind: 'test'; file: string; name: string; status: 'passed' | 'failed' | 'skipped'; reasons: string[] }
  | { kind: 'error'; file: string; reasons: string[] }
  | { kind: 'end' };

const write = (line: TestLine): void => {
  const path = process.env['SANDLOT_TEST_LINES'];
  if (path === undefined) throw new Error('SANDLOT_TEST_LINES must name the file that takes the results');
  appendFileSync(path, `${JSON.stringify(line)}\n`);
};
const reason = ({ message, stack }: SerializedError): string => stack ?? message;
const writeErrors = (file: string, errors: readonly SerializedError[]): void => {
  if (errors.length > 0) write({ kind: 'error', file, reasons: errors.map(reason) });
};

export default class TestLines implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state === 'pending') return;
    write({ kind: 'test', file: test.module.moduleId, name: test.fullName, status: state, reasons: errors.map(reason) });
  }
  onTestSuiteResult(suite: { module: TestModule; errors(): SerializedError[] }): void {
    writeErrors(suite.module.moduleId, suite.errors());
  }
  onTestModuleEnd(module: TestModule): void {
    writeErrors(module.moduleId, module.errors());
  }
  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    writeErrors('between the tests', unhandled);
    write({ kind: 'end' });
  }
}
