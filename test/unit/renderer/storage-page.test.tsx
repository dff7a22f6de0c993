// The page of what is on disk: what was removed is no longer counted.
import { act } from 'react';
import { expect, test } from 'vitest';
import { removedWords } from '../../../renderer/src/images/removed-words.ts';
import { removedText } from '../../../renderer/src/storage/freed-text.ts';
import { StoragePage } from '../../../renderer/src/storage/StoragePage.tsx';
import { drawOver } from './drawn-app.tsx';

const ok = (value: unknown) => ({ ok: true, value });
const item = { kind: 'volume', id: 'vol_1', runtime: 'docker', name: 'left', reason: 'no session has it', size_bytes: 5 };
const host = { registry_bytes: 1, streams_bytes: 1, cache_bytes: 1, logs_bytes: 1 };
const usage = { measured_at: '2026-11-30T10:00:00.000Z', is_current: true, runtimes: [], environments: [], host };

const press = (beginning: string) =>
  act(async () => [...document.querySelectorAll('button')].findLast(({ textContent }) => textContent?.startsWith(beginning))?.click());

test.each([
  [1, 5_242_880, '1 removed: 5.0 MiB.'],
  [1, null, '1 removed: at least 0 B.'],
  [0, 5_242_880, '0 of 1 removed: something outside Sandlot still uses the rest.'],
])('%d removed, of %s bytes', (removed, size, words) => {
  expect(removedText({ items: [{ ...item, kind: 'volume', size }], removed })).toBe(words);
});

test('after a removal the disk is measured again', async () => {
  let items = [item];
  const { asked } = await drawOver(
    <StoragePage />,
    {},
    {
      'app.prune': ({ dry_run }: { dry_run: boolean }) => {
        const seen = items;
        if (!dry_run) items = [];
        return ok({ items: seen, removed: dry_run ? 0 : 1, skipped: [] });
      },
      'disk.usage': () => ok(usage),
    },
  );
  const measured = () =>
    asked.filter(({ name, input }) => name === 'disk.usage' && (input as { refresh?: boolean }).refresh === true).length;
  expect(measured()).toBe(0);
  await press('Remove 1');
  await press('Remove');
  expect(measured()).toBe(1);
});

test.each([
  [{ kind: 'prepared', frees_bytes: 0 }, 'Image abc123 is removed, which frees 0 B.'],
  [{ kind: 'prepared', frees_bytes: null }, 'Image abc123 is removed.'],
  [{ kind: 'build', frees_bytes: null }, 'Image abc123 is removed. What was built for it may stay in the build cache of the runtime.'],
] as const)('of a removed image %j is said what that freed, and what may stay', (image, words) =>
  expect(removedWords({ id: 'sha256:abc123', ...image })).toBe(words),
);
