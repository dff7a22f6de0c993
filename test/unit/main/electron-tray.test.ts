// The menu of the tray: what runs, what can be launched.
import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import { followNews } from '../../../main/electron/app-news.ts';
import { type TrayActions, trayItems, trayTip } from '../../../main/electron/tray-items.ts';
import { createEventBus } from '../../../sandbox-engine/base/event-bus.ts';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { runningSession as session } from './running-session.ts';

const environment = (id: string, more: Partial<EnvironmentView> = {}): EnvironmentView =>
  ({
    id,
    name: id,
    updated_at: '2026-01-01',
    archived_at: null,
    setup_verification: { can_start_sessions: true },
    ...more,
  }) as EnvironmentView;

/** The words of a menu, what is below an entry in brackets. */
const wordsOf = (items: readonly MenuItemConstructorOptions[]): unknown[] =>
  items
    .filter(({ type }) => type !== 'separator')
    .map((item) => (Array.isArray(item.submenu) ? { [String(item.label)]: wordsOf(item.submenu) } : (item.label ?? item.role)));

/** Presses an entry, wherever it is. */
const press = (items: readonly MenuItemConstructorOptions[], label: string): void => {
  for (const item of items) {
    if (item.label === label) (item.click as (() => void) | undefined)?.();
    if (Array.isArray(item.submenu)) press(item.submenu, label);
  }
};

const trayActions = (): { did: unknown[][]; actions: TrayActions } => {
  const did: unknown[][] = [];
  return {
    did,
    actions: {
      open: (route) => void did.push(['open', route]),
      launch: (id) => void did.push(['launch', id]),
      quit: (isStop) => void did.push(['quit', isStop]),
    },
  };
};

describe('the tray', () => {
  test('says that nothing runs, and offers a first environment', () => {
    const { actions } = trayActions();
    expect([wordsOf(trayItems({ sessions: [], environments: [] }, actions)), trayTip([])]).toEqual([
      ['Open Sandlot', 'No session is running', { Launch: ['New environment…'] }, 'Quit'],
      'Sandlot',
    ]);
  });

  test('shows what runs, the newest first, and what can be launched, the last used first', () => {
    const { actions } = trayActions();
    const sessions = [session('ses_1', { environment_id: 'env_b' }), session('ses_2'), session('ses_3', { status: 'stopped' })];
    const environments = [
      environment('env_c', { updated_at: '2026-01-09' }),
      environment('env_b', { name: 'R&D' }),
      environment('env_d', { archived_at: '2026-01-02' }),
      environment('env_e', { setup_verification: { can_start_sessions: false } as never }),
    ];
    expect([wordsOf(trayItems({ sessions, environments }, actions)), trayTip(sessions)]).toEqual([
      [
        'Open Sandlot',
        'ses_2 (shop)',
        'ses_1 (shop)',
        { Launch: ['env_c', 'R&&D', 'New environment…'] },
        'Quit, keep sessions running',
        'Stop all sessions and quit',
      ],
      'Sandlot: 2 sessions run',
    ]);
  });

  test('each entry does what it says', () => {
    const { did, actions } = trayActions();
    const items = trayItems({ sessions: [session('ses_1')], environments: [environment('env_a')] }, actions);
    for (const label of [
      'Open Sandlot',
      'ses_1 (shop)',
      'env_a',
      'New environment…',
      'Quit, keep sessions running',
      'Stop all sessions and quit',
    ])
      press(items, label);
    expect(did).toEqual([
      ['open', '/'],
      ['open', '/sessions/ses_1'],
      ['launch', 'env_a'],
      ['open', '/environments/new'],
      ['quit', false],
      ['quit', true],
    ]);
  });

  test('many sessions are cut with the way to the rest', () => {
    const { actions } = trayActions();
    const sessions = Array.from({ length: 14 }, (_, at) => session(`ses_${at}`));
    const words = wordsOf(trayItems({ sessions, environments: [] }, actions));
    expect([words.length, words[11]]).toEqual([15, '4 more…']);
  });

  test('follows the list and the events after it', async () => {
    const bus = createEventBus();
    const told: string[][] = [];
    const answers: Record<string, unknown> = {
      'sessions.list': { sessions: [session('ses_1'), session('ses_2')] },
      'environments.list': { environments: [environment('env_a', { name: 'shop' })] },
    };
    const dispatch = (async (name: string) => ({ ok: true, value: answers[name] })) as never;
    const listed = new Promise<void>((resolve) => {
      const news = followNews({ dispatch, events: bus }, () => {
        told.push(news.now().sessions.map(({ id, status }) => `${id} ${status}`));
        if (told.length === 2) resolve();
      });
      // Before the list is here: what the event says is newer.
      bus.emit('session.changed', session('ses_1', { status: 'stopped' }));
      expect(news.nameOf('env_a')).toBe('an environment');
    });
    await listed;
    bus.emit('session.removed', { id: 'ses_2' });
    bus.emit('notice', { level: 'info', message: 'no news' });
    expect(told).toEqual([['ses_1 stopped'], ['ses_1 stopped', 'ses_2 running'], ['ses_1 stopped']]);
  });
});
