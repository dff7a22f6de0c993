// What is said of an environment and of a session in a word: nothing that another word on the same row contradicts.
import { act, cloneElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SessionTable } from '../../../renderer/src/ui/SessionTable.tsx';
import { EnvironmentBadge, Verdict } from '../../../renderer/src/ui/Verdict.tsx';
import type { ImageState, Session, SetupVerification } from '../../../sandbox-engine/contract/model.ts';
import { drawOver } from './drawn-app.tsx';

const verification = (label: SetupVerification['label']) => ({ label, message: '' }) as SetupVerification;
const said = (markup: string): string[] => [...markup.matchAll(/>([^<>]+)</g)].map(([, text]) => text ?? '');

test.each<[string, ImageState['state'], boolean, string[]]>([
  ['built', 'active', false, ['Ready']],
  ['never built', 'none', false, ['Ready']],
  // The pinned build can be used, and the latest one failed: both are true, and both are said.
  ['built, and failed since', 'active', true, ['Ready', 'latest build failed']],
  ['changed', 'stale', false, ['Stale']],
  ['changed, and failed since', 'stale', true, ['Build failed']],
  ['failed at once', 'none', true, ['Build failed']],
])('an environment that is %s', (_name, state, hasFailed, words) => {
  const image = { state, message: '' } as ImageState;
  const badge = (
    <EnvironmentBadge image={image} verification={verification('Ready')} hasFailed={hasFailed} isBuilding={false} environmentId="env_1" />
  );
  expect(said(renderToStaticMarkup(badge))).toEqual(words);
  expect(said(renderToStaticMarkup(cloneElement(badge, { isBuilding: true })))).toEqual(['Building']);
});

test('what is ready is not green where the build failed, and what failed stays red', () => {
  const toneOf = (label: SetupVerification['label']) =>
    /tone-(ok|plain|bad)/.exec(renderToStaticMarkup(<Verdict verification={verification(label)} isMuted />))?.[1];
  expect([toneOf('Ready'), toneOf('Failed')]).toEqual(['plain', 'bad']);
});

const noDeed = async () => undefined;

test('a deleted session says so in its row, and is taken back there', async () => {
  for (const name of ['clientHeight', 'clientWidth', 'offsetHeight'])
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value: 600 });
  const session = {
    ...{ id: 'ses_1', name: 'web 2', status: 'stopped', image_source: 'active', network: 'none' },
    ...{ deleted_at: '2026-11-30T10:00:00.000Z', delete_at: '2026-11-30T10:10:00.000Z', created_at: '2026-11-30T09:00:00.000Z' },
  } as Session;
  const taken: string[] = [];
  const deeds = { onUndelete: ({ id }: Session) => taken.push(id), onStop: noDeed, onResume: noDeed, onDelete: noDeed };
  await drawOver(<SessionTable sessions={[session]} usage={new Map()} away={new Set()} {...deeds} />, {}, {});
  document.querySelector<HTMLElement>('[aria-label="Undo the deletion of web 2"]')?.click();
  const cells = [...document.querySelectorAll('[role=cell]')].map((cell) => cell.textContent ?? '');
  expect([taken, cells.includes('Deleted'), cells.includes('Stopped')]).toEqual([['ses_1'], true, false]);
});

test('a session is stopped, resumed and deleted from its row, each where it can be', async () => {
  const row = (name: string, status: Session['status']) =>
    ({
      id: `ses_${name}`,
      name,
      status,
      container_id: 'c',
      image_source: 'active',
      network: 'none',
      created_at: '2026-11-30T09:00:00.000Z',
    }) as Session;
  const done: string[] = [];
  const note = (deed: string) => async (session: Session) => done.push(`${deed} ${session.name}`);
  const deeds = { onUndelete: noDeed, onStop: note('stop'), onResume: note('resume'), onDelete: note('delete') };
  const sessions = [row('web', 'running'), row('old', 'stopped')];
  await drawOver(<SessionTable {...{ sessions, ...deeds }} usage={new Map()} away={new Set()} />, {}, {});
  const named = [...document.querySelectorAll('.session-deeds button')].map((one) => one.getAttribute('aria-label'));
  expect(named).toEqual(['Stop web', 'Delete web', 'Resume old', 'Delete old']);
  await act(async () => document.querySelector<HTMLElement>('[aria-label="Resume old"]')?.click());
  await act(async () => document.querySelector<HTMLElement>('[aria-label="Stop web"]')?.click());
  await act(async () => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Stop session')?.click());
  expect(done).toEqual(['resume old', 'stop web']);
});

test('a script that no run has tested is said to be that', () => {
  expect(said(renderToStaticMarkup(<Verdict verification={verification('Never')} />))).toEqual(['Not tested']);
});

test('a script that passed without all that it wanted is said to be that, with the way there', () => {
  const blocked = { destinations: 2, setup_run_id: 'run_1' };
  const kept = { ...verification('Verified'), blocked };
  const [alone, linked] = [undefined, 'env_1'].map((environmentId) =>
    renderToStaticMarkup(<Verdict verification={kept} {...(environmentId && { environmentId })} />),
  );
  expect([said(alone ?? '').join(''), said(linked ?? '').join('')]).toEqual(['Verified, 2 blocked', 'Verified, 2 blocked']);
  // A shape of its own, not a colour alone.
  expect([
    alone?.includes('<svg'),
    alone?.includes('href'),
    linked?.includes('href="/environments/env_1/setup?run=run_1&amp;side=test"'),
  ]).toEqual([true, false, true]);
});
