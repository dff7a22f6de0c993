// What a failed run shows of its output.
import { expect, test } from 'vitest';
import { failureTail } from '../../../sandbox-engine/setup/failure-tail.ts';
import { scriptPath } from '../../../sandbox-engine/setup/feeder.ts';

const failure = { line: 24, command: 'curl a' };
const missing = `${scriptPath}: line 24: curl: command not found`;
const all = `Error: cents\n${missing}`;

test.each([
  ['only the line that failed', failure, missing, '', 'line 24: curl: command not found'],
  ['what that line sent to stdout', failure, '', 'no such rule', 'no such rule'],
  ['all of stderr where no line failed', null, missing, '', 'Error: cents\nline 24: curl: command not found'],
])('it is %s', (_, failed, stderrTail, stdoutTail, expected) => {
  expect(failureTail({ failure: failed, stderrTail: all, lastOutput: { stderrTail, stdoutTail, runTail: all } })).toBe(expected);
});
