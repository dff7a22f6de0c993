// Pulling a stream into a viewer: in order, nothing twice, and never faster than the viewer takes it.
import { expect, test, vi } from 'vitest';
import { type StreamSource, startPump } from '../../../renderer/src/ui/stream-pump.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (part: Uint8Array) => new TextDecoder().decode(part);

const fakeStream = () => {
  let content = '';
  let start = 0;
  let ended = false;
  let listener: Parameters<StreamSource['watch']>[0] = () => undefined;
  const reads: number[] = [];
  const source: StreamSource = {
    id: 'str',
    read: async (asked, maxBytes) => {
      reads.push(asked);
      const from = Math.max(asked, start);
      const part = content.slice(from, from + maxBytes);
      return { bytes: bytes(part), from, next: from + part.length, start, size: content.length, ended };
    },
    watch: (tell) => {
      listener = tell;
      return () => undefined;
    },
  };
  const grow = (more: string, withChunk: boolean) => {
    const from = content.length;
    content += more;
    listener({ size: content.length, ended, ...(withChunk && { from, chunk: bytes(more) }) });
  };
  const end = () => {
    ended = true;
    listener({ size: content.length, ended });
  };
  return { source, reads, grow, end, forget: (upTo: number) => (start = upTo), lookAgain: () => listener(null) };
};

test('a chunk that follows on is shown without asking the host', async () => {
  const stream = fakeStream();
  const shown: string[] = [];
  startPump({ source: stream.source, write: async (part) => void shown.push(text(part)), onGap: () => undefined, onEnd: () => undefined });
  await vi.waitFor(() => expect(stream.reads).toEqual([0]));
  await Promise.resolve();
  stream.grow('a', true);
  await vi.waitFor(() => expect(shown).toEqual(['a']));
  expect(stream.reads).toEqual([0]);
});

test('nothing is pulled while the viewer still has bytes to show, and then nothing is missing', async () => {
  const stream = fakeStream();
  stream.grow('first', false);
  const shown: string[] = [];
  const release: (() => void)[] = [];
  const write = async (part: Uint8Array) => {
    shown.push(text(part));
    await new Promise<void>((resolve) => release.push(resolve));
  };
  startPump({ source: stream.source, write, onGap: () => undefined, onEnd: () => undefined });
  await vi.waitFor(() => expect(shown).toEqual(['first']));
  stream.grow(' second', true);
  stream.grow(' third', true);
  await Promise.resolve();
  expect(stream.reads).toEqual([0]);
  release.shift()?.();
  await vi.waitFor(() => expect(shown.join('')).toBe('first second third'));
});

test('a beginning that the host has forgotten is told with its size', async () => {
  const stream = fakeStream();
  stream.grow('0123456789', false);
  stream.forget(4);
  const gaps: number[] = [];
  const shown: string[] = [];
  startPump({
    source: stream.source,
    write: async (part) => void shown.push(text(part)),
    onGap: (missing) => void gaps.push(missing),
    onEnd: () => undefined,
  });
  await vi.waitFor(() => expect(shown).toEqual(['456789']));
  expect(gaps).toEqual([4]);
});

test('looking again after a reconnect brings what was missed', async () => {
  const stream = fakeStream();
  const shown: string[] = [];
  startPump({
    source: { ...stream.source, watch: (tell) => stream.source.watch((growth) => growth === null && tell(null)) },
    write: async (part) => void shown.push(text(part)),
    onGap: () => undefined,
    onEnd: () => undefined,
  });
  await vi.waitFor(() => expect(stream.reads).toEqual([0]));
  stream.grow('missed', false);
  stream.lookAgain();
  await vi.waitFor(() => expect(shown).toEqual(['missed']));
});

test('the end is told once everything is shown', async () => {
  const stream = fakeStream();
  const onEnd = vi.fn();
  const shown: string[] = [];
  startPump({ source: stream.source, write: async (part) => void shown.push(text(part)), onGap: () => undefined, onEnd });
  stream.grow('last words', false);
  stream.end();
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalled());
  expect(shown.join('')).toBe('last words');
});

test('a viewer that is too far behind leaves out the oldest and goes on at a whole line', async () => {
  const stream = fakeStream();
  const shown: string[] = [];
  startPump({
    source: stream.source,
    write: async (part) => void shown.push(text(part)),
    onGap: () => undefined,
    onEnd: () => undefined,
    maxLagBytes: 20,
  });
  await vi.waitFor(() => expect(stream.reads).toEqual([0]));
  stream.grow(`${'flood\n'.repeat(10)}prompt$ `, false);
  await vi.waitFor(() => expect(shown.join('')).toBe('prompt$ '));
});
