// The way out of the desktop app, and a page that would lose something or breaks. What is passed in is what the code uses of Electron.
import { describe, expect, test } from 'vitest';
import { createPageLife } from '../../../main/electron/page-life.ts';
import { createQuit } from '../../../main/electron/quit.ts';
import type { QuitAnswer } from '../../../main/electron/quit-dialog.ts';

describe('the way out of the app', () => {
  const leave = (given: { answer?: QuitAnswer; isHostDeaf?: boolean; hasEdits?: boolean } = {}) => {
    const did: string[] = [];
    const quit = createQuit({
      decide: async () => {
        did.push('asked');
        if (given.isHostDeaf === true) throw new Error('deaf');
        return given.answer ?? 'keep';
      },
      closeWindow: async () => {
        did.push('window');
        return given.hasEdits !== true;
      },
      closeHost: async ({ stopSessions }) => void did.push(stopSessions ? 'closed, sessions stopped' : 'closed'),
      onStay: () => did.push('stays'),
    });
    return { quit, did };
  };

  test.each<[string, Parameters<typeof leave>[0], string[]]>([
    ['keep', { answer: 'keep' }, ['asked', 'window', 'closed']],
    ['stop', { answer: 'stop' }, ['asked', 'window', 'closed, sessions stopped']],
    ['stay', { answer: 'stay' }, ['asked', 'stays']],
    ['edits that are kept hold the app', { answer: 'stop', hasEdits: true }, ['asked', 'window']],
    ['a host that cannot be asked stops nothing', { isHostDeaf: true }, ['asked', 'window', 'closed']],
  ])('%s', async (_case, given, expected) => {
    const { quit, did } = leave(given);
    await quit.ask();
    expect(did).toEqual(expected);
  });

  test('two wishes at once ask once; what was said in the tray is not asked again', async () => {
    const { quit, did } = leave();
    await Promise.all([quit.ask(), quit.ask(), quit.withAnswer('stop')]);
    const said = leave();
    await said.quit.withAnswer('stop');
    expect([did, said.did]).toEqual([
      ['asked', 'window', 'closed'],
      ['window', 'closed, sessions stopped'],
    ]);
  });

  test('a system that goes down is not held by a question, and stops no session', async () => {
    const { quit, did } = leave({ answer: 'stop' });
    const asked = quit.ask();
    await quit.now();
    await asked;
    expect([did.filter((step) => step.startsWith('closed')), quit.isEnding()]).toEqual([['closed'], true]);
  });

  test('the quit of Electron is held until the host has closed in order', () => {
    const { quit, did } = leave();
    quit.onBeforeQuit({ preventDefault: () => did.push('held') });
    expect(did).toEqual(['held', 'asked']);
  });

  test('after staying one can quit again', async () => {
    const { quit, did } = leave({ answer: 'stay' });
    await quit.ask();
    await quit.ask();
    expect(did).toEqual(['asked', 'stays', 'asked', 'stays']);
  });
});

describe('the page of the window', () => {
  const live = (answers: number[], times: number[] = []) => {
    const did: string[] = [];
    const life = createPageLife({
      ask: async ({ message }) => {
        did.push(message);
        return answers.shift() ?? 0;
      },
      close: () => did.push('close'),
      reload: () => did.push('reload'),
      quit: () => did.push('quit'),
      log: { warn: () => undefined, error: () => undefined },
      nowMs: () => times.shift() ?? 0,
    });
    const unload = async () => {
      let isLeft = false;
      life.onPreventUnload({
        preventDefault: () => {
          isLeft = true;
        },
      });
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
      return isLeft;
    };
    return { life, did, unload };
  };
  const edits = 'There are edits that are not saved';

  test('a window with edits stays until they are thrown away, then it closes', async () => {
    const { life, did, unload } = live([0, 1]);
    const stayed: string[] = [];
    life.onceStayed(() => stayed.push('stayed'));
    life.onClose();
    expect(await unload()).toBe(false);
    life.onClose();
    expect(await unload()).toBe(false);
    expect(await unload()).toBe(true);
    expect([did, stayed]).toEqual([[edits, edits, 'close'], ['stayed']]);
  });

  test('a reload with edits reloads once they are thrown away, and the new page is asked about again', async () => {
    const { life, did, unload } = live([1, 0]);
    await unload();
    expect(await unload()).toBe(true);
    life.onLoaded();
    expect(await unload()).toBe(false);
    expect(did).toEqual([edits, 'reload', edits]);
  });

  test('one question at a time', async () => {
    const { did, unload } = live([0]);
    await Promise.all([unload(), unload()]);
    expect(did).toEqual([edits]);
  });

  test.each<[string, string[], number[], number[], string[]]>([
    ['that ends by itself is let go', ['clean-exit'], [], [], []],
    ['that crashed is loaded anew', ['crashed'], [], [1, 1], ['reload']],
    ['that crashes seldom is loaded anew each time', ['crashed', 'oom'], [], [0, 0, 60_000, 60_000], ['reload', 'reload']],
    ['that crashes at once again is asked about', ['crashed', 'crashed'], [1], [0, 0, 9, 9], ['reload', 'The window has broken', 'quit']],
    ['may be tried again', ['oom', 'oom'], [0], [0, 0, 9, 9], ['reload', 'The window has broken', 'reload']],
  ])('a page %s', async (_case, reasons, answers, times, expected) => {
    const { life, did } = live(answers, times);
    for (const reason of reasons) life.onGone({ reason, exitCode: 1 });
    await new Promise(setImmediate);
    expect(did).toEqual(expected);
  });

  test.each([
    [0, []],
    [1, ['reload']],
  ])('a page that does not answer: %i', async (answer, expected) => {
    const { life, did } = live([answer]);
    life.onUnresponsive();
    await new Promise(setImmediate);
    expect(did).toEqual(['The window does not answer', ...expected]);
  });
});
