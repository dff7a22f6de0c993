// The Network tab of an environment: what a choice changes, and what it says where it changes nothing yet.
import { act } from 'react';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import { NetworkTab } from '../../../renderer/src/environment/NetworkTab.tsx';
import type { Editing } from '../../../renderer/src/store/actions.ts';
import type { EnvironmentView, NetworkPolicy } from '../../../sandbox-engine/contract/model.ts';
import { drawOver } from './drawn-app.tsx';

const ok = (value: unknown) => ({ ok: true, value });
const unknown = () => ({ ok: false, error: { message: 'Not now.', next_action: null } });
const answers = {
  'egress.check': () => ok({ policy: null, errors: [], warnings: [] }),
  'egress.access': unknown,
  'egress.summary': unknown,
};

const drawTab = async (network_policy: NetworkPolicy) => {
  const edits: unknown[] = [];
  const environment = { id: 'env_1', name: 'web', revision: 1, network_policy, privileged: false } as unknown as EnvironmentView;
  const editing = { environment, patch: {}, isDirty: false, edit: (patch: unknown) => edits.push(patch) } as unknown as Editing;
  await drawOver(
    <Router>
      <NetworkTab editing={editing} />
    </Router>,
    {},
    answers,
  );
  return edits;
};

const card = (title: string) =>
  [...document.querySelectorAll<HTMLElement>('[role="radio"].choice')].find((one) => one.textContent.startsWith(title));
const said = () => document.querySelector('.network-same')?.textContent;

test('rules without any say that they are no change, and bring to where the first is added', async () => {
  const edits = await drawTab({ version: 'v1', rules: [] });
  expect([said(), card('No access')?.getAttribute('aria-checked')]).toEqual(['', 'true']);
  await act(async () => card('Rules')?.click());
  expect([card('Rules')?.getAttribute('aria-checked'), said(), document.activeElement?.textContent, edits]).toEqual([
    'true',
    'Same as No access until a rule is added.',
    'Add a rule',
    [],
  ]);
});

test('of rules that there are nothing is said', async () => {
  await drawTab({ version: 'v1', rules: [{ action: 'allow', hosts: ['a.example'] }] });
  expect([card('Rules')?.getAttribute('aria-checked'), said()]).toEqual(['true', '']);
});
