// The dialog before a sandbox is replaced: what changes, what is lost, and where to mend what stands in the way.
import { act } from 'react';
import { expect, test } from 'vitest';
import { openReplace } from '../../../renderer/src/session/ReplaceDialog.tsx';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { button } from './drawn.tsx';
import { drawOver } from './drawn-app.tsx';

const session = { id: 'ses_1', name: 'work', environment_id: 'env_1', runtime: 'docker', container_id: 'c' } as Session;

const found: CallOutput<'sessions.replacement'> = {
  from: 'Web',
  to: 'Mine',
  problem: null,
  problem_code: null,
  next_action: null,
  changes: ['Network: from By rules to No access', 'Secrets: from API_TOKEN to none'],
  terminals: [],
  commands: 0,
  listening: [],
  forwarded: [],
  changed_files: 0,
  changed_examples: [],
  workspace_bytes: null,
  setup_left_out: false,
};

const open = async (value: CallOutput<'sessions.replacement'>, known: Parameters<typeof drawOver>[1] = {}) => {
  await drawOver(
    <button type="button" onClick={() => openReplace(session)}>
      start
    </button>,
    known,
    { 'sessions.replacement': () => ({ ok: true, value }), 'environments.list': () => ({ ok: true, value: {} }) },
  );
  await act(async () => button('start').click());
};

test('each change has a line', async () => {
  await open(found);
  const lines = [...document.querySelectorAll('[aria-label="Changes"] li')].map((one) => one.textContent);
  expect(lines).toEqual(found.changes);
});

test('a server in the background is lost by its name, and its forward stays', async () => {
  await open({ ...found, listening: [{ port: 8080, process: 'perl' }], forwarded: [8080] });
  const linesOf = (list: string) => [...document.querySelectorAll(`[aria-label="${list}"] li`)].map((one) => one.textContent);
  expect([linesOf('Lost')[0], linesOf('Kept')[2]]).toEqual([
    'All processes, with perl at port 8080',
    'The forward of port 8080: what you start there in the new sandbox is reached again',
  ]);
});

test.each<[string, Partial<typeof found>, string]>([
  ['nothing', {}, 'All processes'],
  ['a terminal', { terminals: [{ id: 'trm_1' as never, title: 'bash' }] }, 'All processes, with 1 open terminal (bash)'],
  [
    'all of it',
    { terminals: [{ id: 'trm_1' as never, title: 'bash' }], commands: 2, listening: null },
    'All processes, with 1 open terminal (bash), 2 running commands, and what listens at ports (the runtime did not say what)',
  ],
])('of %s that runs no more is said than there is', async (_, part, said) => {
  await open({ ...found, ...part });
  expect(document.querySelector('[aria-label="Lost"] li')?.textContent).toBe(said);
});

test.each([true, false])('what setup put into the workspace is said to stay out: %s', async (setup_left_out) => {
  await open({ ...found, setup_left_out });
  const kept = document.querySelector('[aria-label="Kept"]')?.textContent;
  expect(kept?.includes('What setup put in /workspace does not come along, unless it is empty')).toBe(setup_left_out);
});

test.each([
  ['environment_not_verified', ['#/environments/env_1/setup'], false],
  ['disk_full', [], true],
] as const)('of %s it leads to %j, and shows what to do: %s', async (problem_code, links, isTold) => {
  await open({ ...found, changes: [], problem: 'It cannot start.', problem_code, next_action: 'Type this.' });
  const dialog = document.querySelector('[role=dialog]');
  expect([...(dialog?.querySelectorAll('a') ?? [])].map((one) => one.getAttribute('href'))).toEqual(links);
  expect(dialog?.textContent?.includes('Type this.')).toBe(isTold);
});

const environments = {
  env_1: { id: 'env_1', name: 'Web', runtime: 'docker', archived_at: null, updated_at: '2026-01-02T00:00:00.000Z' } as never,
  env_2: { id: 'env_2', name: 'Mine', runtime: 'docker', archived_at: null, updated_at: '2026-01-01T00:00:00.000Z' } as never,
};

const type = async (text: string) => {
  const field = document.querySelector<HTMLInputElement>('[role=dialog] input');
  if (field === null) throw new Error('there is no field');
  await act(async () => {
    field.focus();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
  });
  return field;
};

const lastButton = () => [...document.querySelectorAll<HTMLButtonElement>('[role=dialog] button')].at(-1);

test('what is kept comes first, then what is lost, then what is pressed', async () => {
  await open(found);
  const parts = document.querySelectorAll('[role=dialog] :is([aria-label="Kept"], [aria-label="Lost"], [aria-label="Changes"])');
  expect([...parts].map((part) => part.getAttribute('aria-label'))).toEqual(['Kept', 'Lost', 'Changes']);
});

test('the button says with what; text that is no choice presses nothing, and says so', async () => {
  await open(found, { environments });
  expect([lastButton()?.textContent, lastButton()?.disabled]).toEqual(['Replace with “Mine”', false]);
  const field = await type('nothing like it');
  const said = () => document.querySelector('[role=dialog] .row [role=status]')?.textContent;
  expect([lastButton()?.disabled, said()]).toEqual([true, 'Choose one from the list.']);
  await act(async () => field.blur());
  expect([field.value, lastButton()?.textContent, lastButton()?.disabled, said()]).toEqual([
    'Web (its own, as it is now)',
    'Replace with “Mine”',
    false,
    '',
  ]);
});
