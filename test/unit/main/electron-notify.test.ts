// Which events become a notification of the system, and how often.
import { describe, expect, test } from 'vitest';
import { createNotifier, type Notice } from '../../../main/electron/notify.ts';
import { createEventBus } from '../../../sandbox-engine/base/event-bus.ts';
import { runningSession as session } from './running-session.ts';

describe('notifications', () => {
  const hear = (isLooking = false) => {
    const bus = createEventBus();
    const shown: Notice[] = [];
    bus.subscribe(createNotifier({ nameOf: () => 'shop', isLooking: () => isLooking, show: (notice) => void shown.push(notice) }));
    return { bus, shown };
  };
  const build = (status: string, failed_step: string | null = null) =>
    ({ id: 'bld_1', environment_id: 'env_a', status, failed_step }) as never;
  const run = (status: string, more: object = {}) =>
    ({ id: 'run_1', environment_id: 'env_a', status, hint: null, failed_line: null, failed_command: null, ...more }) as never;

  test.each<[string, (bus: ReturnType<typeof hear>['bus']) => void, string[]]>([
    [
      'a build that ends well',
      (bus) => bus.emit('build.changed', build('succeeded')),
      ['Build finished: shop', 'The image is ready.', '/environments/env_a/builds'],
    ],
    [
      'a build that fails',
      (bus) => bus.emit('build.changed', build('failed', 'Tools')),
      ['Build failed: shop', 'It failed at "Tools".', '/environments/env_a/builds'],
    ],
    [
      'a setup run that fails with a hint',
      (bus) => bus.emit('setup_run.changed', run('failed', { hint: 'Use sudo.' })),
      ['Setup failed: shop', 'Use sudo.', '/environments/env_a/setup'],
    ],
    [
      'a setup run that fails at a line',
      (bus) => bus.emit('setup_run.changed', run('failed', { failed_line: 3, failed_command: 'make' })),
      ['Setup failed: shop', 'Line 3: make', '/environments/env_a/setup'],
    ],
    [
      'a setup run that passes',
      (bus) => bus.emit('setup_run.changed', run('succeeded')),
      ['Setup succeeded: shop', 'Sessions can start from it.', '/environments/env_a/setup'],
    ],
    [
      'a session that fails',
      (bus) => bus.emit('session.changed', session('ses_1', { status: 'failed', message: 'No disk.' })),
      ['Session failed: ses_1', 'No disk.', '/sessions/ses_1'],
    ],
    [
      'a session that stops soon',
      (bus) => bus.emit('session.changed', session('ses_1', { idle_stop_at: '2026-01-01T10:00:00Z' })),
      ['Session stops soon: ses_1', 'Nothing has happened in it for a while. Open it to keep it running.', '/sessions/ses_1'],
    ],
  ])('%s', (_case, tell, [title, body, route]) => {
    const away = hear();
    tell(away.bus);
    const looking = hear(true);
    tell(looking.bus);
    expect([away.shown, looking.shown]).toEqual([[{ title, body, route }], []]);
  });

  test('what is under way, cancelled or goes on as before is no notification', () => {
    const { bus, shown } = hear();
    for (const status of ['queued', 'running', 'cancelled']) {
      bus.emit('build.changed', build(status));
      bus.emit('setup_run.changed', run(status));
    }
    bus.emit('session.changed', session('ses_1'));
    bus.emit('session.changed', session('ses_1', { status: 'stopped', idle_stop_at: '2026-01-01T10:00:00Z' }));
    expect(shown).toEqual([]);
  });

  test('one that was told to stop soon, and is stopped for that, is told of each time, and not when it is stopped by hand', () => {
    const { bus, shown } = hear();
    const warn = (at: string) => bus.emit('session.changed', session('ses_1', { idle_stop_at: at }));
    const stop = (stopped_at: string, message: string | null) =>
      bus.emit('session.changed', session('ses_1', { status: 'stopped', stopped_at, message }));
    stop('2026-01-01T09:00:00Z', 'Stopped after 2 minutes without activity.');
    warn('2026-01-01T10:00:00Z');
    stop('2026-01-01T10:00:00Z', 'Stopped after 2 minutes without activity.');
    stop('2026-01-01T10:00:00Z', 'Stopped after 2 minutes without activity.');
    warn('2026-01-01T11:00:00Z');
    stop('2026-01-01T11:00:00Z', null);
    expect(shown.map(({ title, body }) => [title, body])).toEqual([
      ['Session stops soon: ses_1', 'Nothing has happened in it for a while. Open it to keep it running.'],
      ['Session stopped: ses_1', 'Stopped after 2 minutes without activity. Resume it to go on.'],
      ['Session stops soon: ses_1', 'Nothing has happened in it for a while. Open it to keep it running.'],
    ]);
  });

  test('a state is told once, however often its noun changes; a second warning is another one', () => {
    const { bus, shown } = hear();
    for (const at of ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z', null, '2026-01-01T11:00:00Z'])
      bus.emit('session.changed', session('ses_1', { idle_stop_at: at }));
    bus.emit('build.changed', build('failed'));
    bus.emit('build.changed', build('failed', 'Tools'));
    expect(shown.map(({ title }) => title)).toEqual(['Session stops soon: ses_1', 'Session stops soon: ses_1', 'Build failed: shop']);
  });
});
