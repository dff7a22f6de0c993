// What a person reads of the folders of this machine that sessions see.
import { expect, test } from 'vitest';
import { MountsPanel } from '../../../renderer/src/environment/MountsPanel.tsx';
import type { Editing } from '../../../renderer/src/store/actions.ts';
import { draw } from './drawn.tsx';

const repo = { source: '/home/ann/shop', submodules: false, lfs: false, path: '/workspace/repo' };

test.each([
  [null, 'Sessions see nothing of this machine.'],
  [{ ...repo, source: 'ann/shop' }, 'Sessions see nothing of this machine.'],
  [repo, 'Each session is given a copy of /home/ann/shop when it starts'],
  [{ ...repo, mode: 'worktree' }, 'Each session is given the commits of /home/ann/shop when it starts'],
])('of a repository %j it says %j', (known, words) => {
  draw(<MountsPanel editing={{ environment: { mounts: [], repo: known }, patch: {}, edit: () => undefined } as unknown as Editing} />);
  const text = document.body.textContent ?? '';
  expect([text.includes(words), text.includes('nothing of this machine')]).toEqual([true, words.startsWith('Sessions')]);
});
