import { expect, test } from 'vitest';
import { stepFailure } from '../../../sandbox-engine/image/build-record.ts';

test.each<[string, string, string | null]>([
  ['BuildKit in the daemon', 'executor failed running [/bin/bash -c export A=1\napt-get install x]: exit code: 100', '100'],
  ['BuildKit of today', 'process "/bin/bash -c false" did not complete successfully: exit code: 1', '1'],
  ['the classic builder', "The command '/bin/bash -c false' returned a non-zero code: 2", '2'],
  ['Buildah', 'building at STEP "RUN false": while running runtime: exit status 3', '3'],
  ['a base that is not there', 'pull access denied for nothing, repository does not exist', null],
  ['a sentence about an exit code', 'see exit code: 1', null],
  ['a command without one', 'executor failed running [/bin/true]: context canceled', null],
])('%s', (_case, message, code) => {
  expect(stepFailure(message)).toBe(code === null ? null : `its command ended with exit code ${code}`);
});
