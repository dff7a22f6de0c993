import { expect, test } from 'vitest';
import { wayBack, wayBackWords } from '../../../renderer/src/session/way-back.ts';

test.each([
  ['stopped', 'c1', null, 'resume', 'Resume it'],
  ['stopped', null, null, 'replace', 'Replace its sandbox'],
  ['stopped', 'c1', '2026-11-30T07:00:00.000Z', null, 'Resume it'],
  ['running', 'c1', null, null, 'Resume it'],
  ['ended', null, null, null, 'Resume it'],
] as const)('a session that is %s in the sandbox %s, deleted %s, comes back by %s', (status, container_id, deleted_at, way, words) => {
  expect([wayBack({ status, container_id, deleted_at }), wayBackWords({ status, container_id, deleted_at })]).toEqual([way, words]);
});
