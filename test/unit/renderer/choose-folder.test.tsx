// A folder is chosen with the system's dialog where the door has it, and typed everywhere.
import { act } from 'react';
import { expect, test } from 'vitest';
import { FolderSource } from '../../../renderer/src/environments/FolderSource.tsx';
import { createElectronLink } from '../../../renderer/src/host/electron-bridge.ts';
import { type Bridge, chooseFolderCall } from '../../../sandbox-engine/contract/bridge.ts';
import { drawOver } from './drawn-app.tsx';

const source = <FolderSource onFile={() => undefined} />;
const button = () => document.querySelector<HTMLButtonElement>('[aria-label="Choose a folder of this machine"]');
const field = () => document.querySelector<HTMLInputElement>('input[aria-label="Folder of this machine"]');

test('a door without the dialog has the field alone', async () => {
  await drawOver(source, {}, {});
  expect([button(), field()?.value]).toEqual([null, '']);
});

test('what was chosen stands in the field, and stays when the next time nothing is', async () => {
  const chosen = ['/home/me/project', null];
  await drawOver(source, {}, {}, { chooseFolder: async () => chosen.shift() ?? null });
  await act(async () => button()?.click());
  expect(field()?.value).toBe('/home/me/project');
  await act(async () => button()?.click());
  expect([field()?.value, chosen]).toEqual(['/home/me/project', []]);
});

test('the Electron door is asked by the name that it answers to; a refusal chooses nothing', async () => {
  const asked: unknown[] = [];
  const bridge = (reply: object) => {
    const call = async (name: string) => {
      asked.push(name);
      return reply;
    };
    return { call, subscribe: () => () => undefined } as unknown as Bridge;
  };
  expect(await createElectronLink(bridge({ ok: true, value: { folder: '/a' } })).chooseFolder?.()).toBe('/a');
  expect(await createElectronLink(bridge({ ok: false, error: {} })).chooseFolder?.()).toBe(null);
  expect(asked).toEqual([chooseFolderCall, chooseFolderCall]);
});
