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

const open = async (value: CallOutput<'sessions.replacement'>) => {
  await drawOver(
    <button type="button" onClick={() => openReplace(session)}>
      start
    </button>,
    {},
    { 'sessions.replacement': () => ({ ok: true, value }) },
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
