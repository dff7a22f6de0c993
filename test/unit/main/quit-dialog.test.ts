import { describe, expect, test } from 'vitest';
import { decideQuit, type QuestionDialog } from '../../../main/electron/quit-dialog.ts';

const sessions = (...statuses: string[]) => statuses.map((status, at) => ({ name: `s${at}`, status }));

/** A host that has these sessions and this memory, and a person who presses this button. */
const quitting = (given: { statuses: string[]; on_quit?: string; response?: number; isChecked?: boolean; isDeaf?: boolean }) => {
  const asked: string[] = [];
  const saved: unknown[] = [];
  const answersTo: Record<string, object> = {
    'sessions.list': { sessions: sessions(...given.statuses) },
    'settings.get': { on_quit: given.on_quit ?? 'ask' },
  };
  const host = {
    dispatch: async (name: string, input: unknown) => {
      if (given.isDeaf === true) return { ok: false, error: { code: 'internal' } };
      if (name === 'settings.update') saved.push(input);
      return { ok: true, value: answersTo[name] };
    },
  } as never;
  const dialog: QuestionDialog = {
    showMessageBox: async ({ message, buttons }) => {
      asked.push(`${message}: ${buttons.join(', ')}`);
      return { response: given.response ?? 2, checkboxChecked: given.isChecked ?? false };
    },
  };
  return decideQuit(host, dialog).then((answer) => ({ answer, asked, saved }));
};

const one = '“s0” is running: Keep running, Stop it, Cancel';
const two = '2 sessions are running: Keep running, Stop all, Cancel';

describe('what quitting the app does', () => {
  test.each<[string, Parameters<typeof quitting>[0], Awaited<ReturnType<typeof quitting>>]>([
    ['nothing runs: nobody is asked', { statuses: ['stopped'] }, { answer: 'keep', asked: [], saved: [] }],
    ['keep running', { statuses: ['running'], response: 0 }, { answer: 'keep', asked: [one], saved: [] }],
    ['stop all', { statuses: ['running', 'running'], response: 1 }, { answer: 'stop', asked: [two], saved: [] }],
    ['cancel stays, and remembers nothing', { statuses: ['running'], isChecked: true }, { answer: 'stay', asked: [one], saved: [] }],
    [
      'what is to be remembered is',
      { statuses: ['running'], response: 1, isChecked: true },
      { answer: 'stop', asked: [one], saved: [{ on_quit: 'stop' }] },
    ],
    ['what was remembered is done', { statuses: ['running'], on_quit: 'stop' }, { answer: 'stop', asked: [], saved: [] }],
    ['a closed dialog stays', { statuses: ['running'], response: -1 }, { answer: 'stay', asked: [one], saved: [] }],
    ['a host that does not answer stops nothing', { statuses: ['running'], isDeaf: true }, { answer: 'keep', asked: [], saved: [] }],
  ])('%s', async (_name, given, expected) => expect(await quitting(given)).toEqual(expected));
});
