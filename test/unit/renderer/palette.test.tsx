// The palette: its key works from every field and editor, but not from a terminal, whose shell has it; and it finds agents.
import { Spotlight } from '@mantine/spotlight';
import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Palette } from '../../../renderer/src/shell/Palette.tsx';
import { PageDeedsProvider } from '../../../renderer/src/ui/page-deeds.tsx';
import type { AgentView, Session } from '../../../sandbox-engine/contract/model.ts';
import { type } from './drawn.tsx';
import { drawOver } from './drawn-app.tsx';

const fields = (
  <PageDeedsProvider>
    <Palette />
    <input className="text" />
    <input className="radio" type="radio" />
    <select className="choice" />
    <textarea className="long" />
    <div className="editor" contentEditable suppressContentEditableWarning />
    <div className="xterm">
      <textarea className="terminal" />
    </div>
  </PageDeedsProvider>
);

const isOpen = () => document.querySelector('[aria-label="Search or do"]') !== null;

const press = (where: string) =>
  act(async () => {
    const event = new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true });
    document.querySelector(where)?.dispatchEvent(event);
  });

afterEach(() => act(async () => Spotlight.close()));

test.each([
  ['.text', true],
  ['.radio', true],
  ['.choice', true],
  ['.long', true],
  ['.editor', true],
  ['.terminal', false],
])('Ctrl+K in %s opens the palette: %s', async (where, opens) => {
  await drawOver(fields, {}, {});
  await press(where);
  expect(isOpen()).toBe(opens);
});

test('an agent is found by its name', async () => {
  const agent = { id: 'agt_1', name: 'Night builder', description: '', created_at: '2026-11-30T10:00:00.000Z' } as AgentView;
  await drawOver(fields, { agents: { [agent.id]: agent } }, { 'environments.list': () => ({ ok: true, value: { environments: [] } }) });
  await press('.text');
  const search = document.querySelector<HTMLInputElement>('input[aria-label="Search or do"]');
  if (search !== null) type(search, 'night');
  expect(document.querySelector('[aria-label="Search or do"]')?.textContent ?? '').toContain('Night builder');
});

test('before anything is typed what runs stands first, and the first row is chosen', async () => {
  const session = {
    id: 'ses_1',
    name: 'night run',
    environment_id: 'env_1',
    environment_name: 'web',
    status: 'running',
    deleted_at: null,
  } as Session;
  await drawOver(fields, { sessions: { [session.id]: session } }, {});
  await press('.text');
  await act(async () => await new Promise((resolve) => setTimeout(resolve, 200)));
  const rows = [...document.querySelectorAll('[data-action]')];
  expect([rows[0]?.textContent, rows[0]?.hasAttribute('data-selected')]).toEqual(['night runweb', true]);
});
