// The form of a network policy: what a test of a destination is about, and what a rule lacks, in the form's own words.
import { act, useState } from 'react';
import { expect, test } from 'vitest';
import { DestinationTest } from '../../../renderer/src/environment/DestinationTest.tsx';
import { RuleCard } from '../../../renderer/src/environment/RuleCard.tsx';
import type { NetworkRule } from '../../../sandbox-engine/contract/model.ts';
import { draw, submit, type } from './drawn.tsx';
import { drawOver } from './drawn-app.tsx';

const rule: NetworkRule = { action: 'allow', hosts: ['b.example'], ports: [443] };
const ok = (value: unknown) => ({ ok: true, value });
const text = () => document.body.textContent ?? '';
const named = (name: string) => [...document.querySelectorAll('button')].filter((one) => one.textContent === name);
const press = (name: string) => act(async () => named(name)[0]?.click());

const Saved = () => {
  const [rules, setRules] = useState<NetworkRule[]>([rule]);
  return (
    <>
      <button type="button" onClick={() => setRules([{ ports: [443], hosts: ['b.example'], action: 'allow' }])}>
        Save
      </button>
      <button type="button" onClick={() => setRules([])}>
        Change
      </button>
      <DestinationTest environmentId="env_1" policy={{ version: 'v1', rules }} isUnsound={false} onAdd={() => undefined} />
    </>
  );
};

test('the result of a test stays that of the rules it was about when these are saved', async () => {
  const said = { destination: 'b.example:443', host: 'b.example', port: 443, verdict: 'allowed', rule: 0, insert_at: null };
  const answer = { ...said, reason: 'allowed', how_to_allow: null, sentence: 'It is allowed by rule 1.', open_presets: [] };
  await drawOver(<Saved />, {}, { 'egress.test': () => ok(answer) });
  const asked = document.querySelector('[aria-label="URL or host:port"]') as HTMLInputElement;
  type(asked, 'b.example');
  await submit(asked);
  const isOld = async (pressed: string) => {
    await press(pressed);
    return text().includes('The policy was changed since');
  };
  expect([await isOld('Save'), await isOld('Change')]).toEqual([false, true]);
});

test('what a rule lacks is said in the words of the form, where it can be given, and given with one press', () => {
  const changed: NetworkRule[] = [];
  const error = {
    code: 'address_private' as const,
    path: '/rules/0/hosts/0',
    message: '10.1.2.3 is a private address; set "allow_private": true.',
  };
  const check = { policy: null, errors: [error], warnings: [] };
  const lan: NetworkRule = { action: 'allow', hosts: ['10.1.2.3'] };
  const card = { rule: lan, index: 0, count: 1, check, handle: null, onMove: () => undefined, onRemove: () => undefined };
  draw(<RuleCard {...card} onChange={(next) => changed.push(next)} />);
  expect(text()).toContain('10.1.2.3 is a private address: turn on “May lead to private addresses”.');
  expect([text().includes('allow_private'), document.querySelector('.rule-options')]).toEqual([false, expect.anything()]);
  act(() => named('Turn it on: May lead to private addresses')[0]?.click());
  expect(changed).toEqual([{ ...lan, allow_private: true }]);
});

const lacking = {
  policy: null,
  errors: [{ code: 'rule_empty' as const, path: '/rules/0', message: 'rules[0] names no hosts.' }],
  warnings: [],
};

test('a rule that was just added has the focus in its hosts, and says what it lacks when it is left', () => {
  const card = { index: 0, count: 1, check: lacking, handle: null, onMove: () => undefined, onRemove: () => undefined };
  draw(
    <>
      <RuleCard {...card} isNew rule={{ action: 'allow' }} onChange={() => undefined} />
      <button type="button">Save</button>
    </>,
  );
  expect([document.activeElement?.getAttribute('aria-label'), text().includes('Name a host')]).toEqual(['Hosts of rule 1', false]);
  act(() => named('Save')[0]?.focus());
  expect([text().includes('Name a host, or choose a preset.'), text().includes('rules[0]')]).toEqual([true, false]);
});

test('one that was there before says at once what it lacks, and takes no focus', () => {
  const card = { index: 0, count: 1, check: lacking, handle: null, onMove: () => undefined, onRemove: () => undefined };
  draw(<RuleCard {...card} rule={{ action: 'deny' }} onChange={() => undefined} />);
  expect([text().includes('Name a host.'), document.activeElement]).toEqual([true, document.body]);
});
