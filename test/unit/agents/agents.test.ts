// What an agent holds and what a change makes of it.
import { expect, test } from 'vitest';
import { changeAgent, createAgent, withEnvironment, withoutEnvironment } from '../../../sandbox-engine/agents/agents.ts';

const env = (number: number) => `env_${String(number).padStart(26, '0')}`;
const [a, b, c] = [env(1), env(2), env(3)] as const;
const made = (ids: string[], chosen?: string) =>
  createAgent(
    { name: 'builder', environment_ids: ids, ...(chosen === undefined ? {} : { default_environment_id: chosen }) },
    { id: 'agt_1', now: '2026-11-01T00:00:00.000Z' },
  );
const later = '2026-11-02T00:00:00.000Z';
const defaultOf = ({ default_environment_id, is_default_chosen }: ReturnType<typeof made>) => [default_environment_id, is_default_chosen];

test('the first environment is the default, none without one, and a chosen one stays it in any order', () => {
  expect(defaultOf(made([]))).toEqual([null, false]);
  expect(defaultOf(made([a, b]))).toEqual([a, false]);
  const chosen = made([a, b, c], b);
  expect(defaultOf(chosen)).toEqual([b, true]);
  expect(defaultOf(changeAgent(chosen, { environment_ids: [c, b, a] }, later))).toEqual([b, true]);
  expect(defaultOf(changeAgent(made([a, b]), { environment_ids: [b, a] }, later))).toEqual([b, false]);
});

test('when the default is detached the first of the others is it, and null gives the choice back', () => {
  const chosen = made([a, b, c], c);
  expect(defaultOf(changeAgent(chosen, { environment_ids: withoutEnvironment(chosen, c) }, later))).toEqual([a, false]);
  expect(defaultOf(changeAgent(chosen, { default_environment_id: null }, later))).toEqual([a, false]);
  expect(() => withoutEnvironment(chosen, env(9))).toThrow(/not attached/);
});

test('a place moves what is attached and inserts what is not; without one it goes to the end', () => {
  expect(withEnvironment([a, b], c)).toEqual([a, b, c]);
  expect(withEnvironment([a, b], a)).toEqual([a, b]);
  expect(withEnvironment([a, b, c], c, 0)).toEqual([c, a, b]);
  expect(withEnvironment([a, b], c, 1)).toEqual([a, c, b]);
  expect(withEnvironment([a, b], a, 99)).toEqual([b, a]);
});

test('what is wrong is refused at its place, and a change of nothing is no change', () => {
  const stored = made([a, b]);
  const refused = (act: () => unknown): unknown => {
    try {
      return act();
    } catch (thrown) {
      const { code, details } = thrown as { code: string; details: { path?: string } };
      return [code, details.path ?? null];
    }
  };
  expect([
    refused(() => made([a, a])),
    refused(() => made([a], b)),
    refused(() => createAgent({ name: ' ' }, { id: 'agt_1', now: later })),
    refused(() => createAgent({ name: 'a\nb' }, { id: 'agt_1', now: later })),
    refused(() => changeAgent(stored, { default_environment_id: c }, later)),
    refused(() => changeAgent(stored, { name: 'x', revision: 2 }, later)),
  ]).toEqual([
    ['invalid_request', '/environment_ids/1'],
    ['invalid_request', '/default_environment_id'],
    ['invalid_request', '/name'],
    ['invalid_request', '/name'],
    ['invalid_request', '/default_environment_id'],
    ['revision_conflict', null],
  ]);
  expect(changeAgent(stored, { name: 'builder', environment_ids: [a, b] }, later)).toBe(stored);
  expect(changeAgent(stored, { description: 'x' }, later)).toMatchObject({ revision: 2, updated_at: later, description: 'x' });
});
