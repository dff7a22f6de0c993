// A terminal that is shown again: what it printed is written in the sizes of then, and after that it fills its room.
import { expect, test, vi } from 'vitest';
import { type PastSizes, streamFeed } from '../../../renderer/src/ui/feed.ts';

const play = async (content: string, past: PastSizes, pieces: number): Promise<string[]> => {
  const did: string[] = [];
  const bytes = new TextEncoder().encode(content);
  const stop = streamFeed(
    {
      id: 'str',
      read: async (from) => {
        const next = Math.min(bytes.length, from + pieces);
        return { bytes: bytes.slice(from, next), from, next, start: 0, size: bytes.length, ended: false };
      },
      watch: () => () => undefined,
    },
    { readSizes: async () => past },
  )({
    write: async (part) => void did.push(new TextDecoder().decode(part as Uint8Array)),
    mark: () => undefined,
    hold: (cols) => void did.push(`<${cols}>`),
    release: () => void did.push('<room>'),
  });
  await vi.waitFor(() => expect(did.filter((one) => !one.startsWith('<')).join('')).toBe(content));
  stop();
  return did;
};

const past = {
  sizes: [
    { from: 0, cols: 80, rows: 24 },
    { from: 3, cols: 40, rows: 24 },
  ],
  size: 5,
};

test.each([
  ['in one piece', 'abcdeLIVE', past, 99, ['<80>', 'abc', '<40>', 'de', '<room>', 'LIVE']],
  ['in small pieces', 'abcdeL', past, 2, ['<80>', 'ab', '<80>', 'c', '<40>', 'd', '<40>', 'e', '<room>', 'L']],
  ['without a past', 'LIVE', { sizes: [], size: 0 }, 99, ['<room>', 'LIVE']],
  ['of which no size is known', 'abcdeL', { sizes: [], size: 5 }, 99, ['abcde', '<room>', 'L']],
])('a stream %s', async (_how, content, sizes, pieces, wanted) => expect(await play(content, sizes, pieces)).toEqual(wanted));
