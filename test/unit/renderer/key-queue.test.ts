import { expect, test, vi } from 'vitest';
import { createKeyQueue } from '../../../renderer/src/store/key-queue.ts';

test('keys typed while a write is under way go in order, together, in the next one', async () => {
  const sent: string[] = [];
  const release: ((ok: boolean) => void)[] = [];
  const press = createKeyQueue(async (bytes) => {
    sent.push(new TextDecoder().decode(bytes));
    return await new Promise<boolean>((resolve) => release.push(resolve));
  });
  for (const key of 'abc') press(new TextEncoder().encode(key));
  expect(sent).toEqual(['a']);
  release.shift()?.(true);
  await vi.waitFor(() => expect(sent).toEqual(['a', 'bc']));
});

test('what was typed behind a refused write is dropped, and later keys are sent again', async () => {
  const sent: string[] = [];
  const answers = [false, true];
  const press = createKeyQueue(async (bytes) => {
    sent.push(new TextDecoder().decode(bytes));
    return await Promise.resolve(answers.shift() ?? true);
  });
  press(new Uint8Array([97]));
  press(new Uint8Array([98]));
  await new Promise((resolve) => setTimeout(resolve));
  press(new Uint8Array([99]));
  await vi.waitFor(() => expect(sent).toEqual(['a', 'c']));
});
