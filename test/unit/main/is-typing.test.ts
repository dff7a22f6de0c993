import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTyping } from '../../../main/host/is-typing.ts';
import { calls } from '../../../sandbox-engine/contract/calls.ts';

const { input } = calls['terminals.write'];
const id = 'trm_01jdxyz0123456789abcdefghj';

test('what is typed into a terminal is recognised', () => {
  expect(input.safeParse({ terminal_id: id, data: 'eA==' }).success).toBe(true);
  expect(isTyping({ terminal_id: id, data: 'eA==' })).toBe(true);
});

test.each([
  ['nothing', null],
  ['a list', []],
  ['a key too many', { terminal_id: id, data: '', more: 1 }],
  ['a key too few', { terminal_id: id }],
  ['another kind of id', { terminal_id: id.replace('trm', 'ses'), data: '' }],
  ['an id that goes on', { terminal_id: `${id}\n`, data: '' }],
  ['data that is no text', { terminal_id: id, data: 1 }],
  ['an object of another kind', Object.create({ terminal_id: id, data: '' })],
  ['more than one key would ever bring', { terminal_id: id, data: 'a'.repeat(65_537) }],
])('%s goes the ordinary way', (_what, value) => expect(isTyping(value)).toBe(false));

test('whatever it says yes to, the schema takes unchanged', () => {
  const near = fc.record(
    {
      terminal_id: fc.oneof(fc.constant(id), fc.stringMatching(/^trm_[0-9a-zA-Z]{25,27}$/), fc.anything()),
      data: fc.oneof(fc.string(), fc.anything()),
      more: fc.anything(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(near, fc.anything()), (value) => {
      if (isTyping(value)) expect(input.parse(value)).toEqual(value);
    }),
    { numRuns: 2_000 },
  );
});
