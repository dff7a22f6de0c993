// A hostile server of a screen: the real noVNC reads what it says.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BoundedScreen } from '../../../renderer/src/ui/bounded-screen.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const word = (value: number): number[] => [(value >> 8) & 255, value & 255];
const rect = (x: number, y: number, width: number, height: number, encoding: number): number[] => [
  ...[x, y, width, height].flatMap(word),
  ...word(encoding >> 16),
  ...word(encoding),
];
const update = (...rects: number[][]): number[] => [0, 0, ...word(rects.length), ...rects.flat()];

/** As a browser has it, as far as noVNC asks for it. */
const picture = () => ({
  ...{ getImageData: () => ({}), putImageData: () => undefined, fillRect: () => undefined, clearRect: () => undefined },
  drawImage: vi.fn(),
});

/** A screen of this size that has just been greeted. */
const greeted = (width: number, height: number) => {
  const drawn = picture();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(drawn as never);
  const channel = {
    ...{ binaryType: 'arraybuffer', protocol: '', readyState: 'open', onopen: null, onclose: null, onerror: null },
    ...{ send: () => undefined, close: vi.fn(), onmessage: (_message: { data: ArrayBuffer }): void => undefined },
  };
  const screen = new BoundedScreen(document.createElement('div'), channel, { shared: true });
  const say = (bytes: number[]): void => channel.onmessage({ data: new Uint8Array(bytes).buffer });
  say([...Buffer.from('RFB 003.008\n')]);
  say([1, 1]);
  say([0, 0, 0, 0]);
  say([...word(width), ...word(height), 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0, 0, 0, 0, 1, 65]);
  return { screen, say, drawn, channel };
};

const copyRect = 1;
const desktopSize = -223;

test.each([
  ['a screen that is larger than any', 16_384, 16_384, []],
  ['another size that is', 1_280, 800, update(rect(0, 0, 65_535, 65_535, desktopSize))],
  ['a part outside of it', 1_280, 800, [...update([...rect(1_000, 0, 281, 1, copyRect), 0, 0, 0, 0])]],
])('%s ends the connection', (_what, width, height, bytes) => {
  const { screen, say, channel } = greeted(width, height);
  if (bytes.length > 0) say(bytes);
  expect([screen._rfbConnectionState === 'connected', channel.close.mock.calls.length]).toEqual([false, 1]);
});

test('what is much is drawn bit by bit, all of it, and between the page has its turn', () => {
  const { screen, say, drawn } = greeted(7_680, 4_320);
  const copy = [...rect(0, 0, 7_680, 4_320, copyRect), 0, 0, 0, 0];
  drawn.drawImage.mockClear();
  say(update(...Array.from({ length: 20 }, () => copy)));
  expect(screen._FBU.rects).toBe(18);
  vi.advanceTimersByTime(99);
  expect(screen._FBU.rects).toBe(18);
  vi.advanceTimersByTime(3);
  expect(screen._FBU.rects).toBe(16);
  vi.advanceTimersByTime(2_000);
  expect([screen._FBU.rects, screen._rfbConnectionState]).toEqual([0, 'connected']);
});

test('where drawing takes long, the page has as much time for itself', () => {
  const { screen, say, drawn } = greeted(1_280, 800);
  drawn.drawImage.mockImplementation(() => void vi.advanceTimersByTime(60));
  const copy = [...rect(0, 0, 1, 1, copyRect), 0, 0, 0, 0];
  say(update(...Array.from({ length: 20 }, () => copy)));
  expect(screen._FBU.rects).toBeGreaterThan(15);
  expect(screen._rfbConnectionState).toBe('connected');
});

test('sizes without a byte of their own go on as well', () => {
  const { screen, say } = greeted(4_000, 2_000);
  say(update(...Array.from({ length: 4 }, (_, at) => rect(0, 0, 4_000, 2_000 + at, desktopSize))));
  expect(screen._FBU.rects).toBe(3);
  vi.advanceTimersByTime(2_000);
  expect([screen._FBU.rects, screen._fbHeight]).toEqual([0, 2_003]);
});
