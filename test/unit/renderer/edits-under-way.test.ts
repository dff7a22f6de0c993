// Whoever saves an environment waits for edits that are on their way to its draft.
import { expect, test } from 'vitest';
import { editsSettled, noteEdit } from '../../../renderer/src/store/edits-under-way.ts';

test('all that is under way is waited for, also what fails, and nothing of another environment', async () => {
  const seen: string[] = [];
  const after = (turns: number, name: string): Promise<void> =>
    turns === 0 ? Promise.resolve().then(() => void seen.push(name)) : Promise.resolve().then(() => after(turns - 1, name));
  noteEdit('env_a', after(5, 'slow'));
  noteEdit('env_a', Promise.reject(new Error('refused')));
  noteEdit('env_b', new Promise(() => undefined));
  await editsSettled('env_a');
  expect(seen).toEqual(['slow']);
  await editsSettled('env_a');
  await editsSettled('env_unknown');
});
