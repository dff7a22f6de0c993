// A session that is deleted from its page: what is said while that lasts, and how it is when it is brought back.
import { act, useState } from 'react';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import { SessionActions } from '../../../renderer/src/session/SessionActions.tsx';
import { backWords } from '../../../renderer/src/ui/ask-session.ts';
import { PageDeedsProvider } from '../../../renderer/src/ui/page-deeds.tsx';
import { SessionStatus } from '../../../renderer/src/ui/SessionStatus.tsx';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { drawOver } from './drawn-app.tsx';

const session = { id: 'ses_1', name: 'one', status: 'running', container_id: 'c', deleted_at: null } as unknown as Session;

const Head = () => {
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <SessionStatus session={session} away={new Set()} isLeaving={isLeaving} />
      <SessionActions session={session} isLeaving={isLeaving} onLeaving={setLeaving} />
    </>
  );
};

const press = async (label: string) => {
  const found = [...document.querySelectorAll<HTMLElement>('button, [role="menuitem"]')];
  await act(async () => found.find((one) => (one.getAttribute('aria-label') ?? one.textContent) === label)?.click());
};
const said = () => [document.querySelector('.status')?.textContent, document.body.textContent.includes('Stop')];

test('from the confirmation to the answer it is being deleted, and cannot be stopped', async () => {
  let answer = (_reply: unknown): void => undefined;
  await drawOver(
    <Router>
      <PageDeedsProvider>
        <Head />
      </PageDeedsProvider>
    </Router>,
    {},
    {
      'sessions.delete': () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    },
  );
  expect(said()).toEqual(['Running', true]);
  await press('More for this session');
  await expect.poll(() => document.body.textContent.includes('Delete with workspace…')).toBe(true);
  await press('Delete with workspace…');
  await expect.poll(() => document.body.textContent.includes('Delete session')).toBe(true);
  await press('Delete session');
  expect(said()).toEqual(['Deleting…', false]);
  await act(async () => answer({ ok: false, error: { message: 'Not now.', next_action: null } }));
  expect(said()).toEqual(['Running', true]);
});

test.each<[Partial<Session>, string]>([
  [{ status: 'stopped' }, '“one” is back, and stopped. Resume starts it again.'],
  [{ status: 'stopped', container_id: null }, '“one” is back, and stopped: its sandbox is gone, its workspace is there.'],
  [{ status: 'running' }, '“one” is back, and runs.'],
  [{ status: 'failed' }, '“one” is back as it was.'],
])('brought back as %j it says how it is', (fields, words) => expect(backWords({ ...session, ...fields })).toBe(words));
