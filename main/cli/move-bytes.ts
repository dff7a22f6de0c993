// Bytes between this machine and a session, in pieces: pulled or pushed by the calls for transfers, with their progress on a terminal.
import type { Transfer } from '../../sandbox-engine/contract/model.ts';
import type { CommandContext } from './command-context.ts';
import { lineOfText, toSize } from './print.ts';

const pieceBytes = 524_288;
const tellEveryMs = 200;

/** Tells on a terminal how far it is, over and over on one line. */
const createProgress = (name: string, size: number | null) => {
  const { stderr } = process;
  const shown = lineOfText(name).slice(0, 60);
  let [moved, told] = [0, 0];
  return {
    moved: (bytes: number): void => {
      moved += bytes;
      if (!stderr.isTTY || performance.now() - told < tellEveryMs) return;
      told = performance.now();
      stderr.write(`\r\u001b[K${shown}  ${toSize(moved)}${size === null ? '' : ` of ${toSize(size)}`}`);
    },
    end: (): number => {
      if (stderr.isTTY && told > 0) stderr.write('\r\u001b[K');
      return moved;
    },
  };
};

/** The bytes of a transfer out of a session. What was left out is told at the end. */
export async function* pullBytes({ ask, print }: CommandContext, { id, name, size }: Transfer): AsyncGenerator<Buffer> {
  const progress = createProgress(name, size);
  let isOver = false;
  try {
    while (!isOver) {
      const { data, ended, note } = await ask('transfers.read', { transfer_id: id, max_bytes: pieceBytes });
      const bytes = Buffer.from(data, 'base64');
      isOver = ended;
      progress.moved(bytes.length);
      if (bytes.length > 0) yield bytes;
      if (note !== null) print.note(note);
    }
  } finally {
    progress.end();
    if (!isOver) await ask('transfers.cancel', { transfer_id: id }).catch(() => undefined);
  }
}

/** Hands bytes to a transfer into a session; answers where they are and how many they were. */
export const pushBytes = async (
  { ask }: CommandContext,
  { id, name }: Transfer,
  source: AsyncIterable<Buffer>,
  size: number | null,
): Promise<{ path: string; bytes: number }> => {
  const progress = createProgress(name, size);
  try {
    for await (const piece of source) {
      for (let at = 0; at < piece.length; at += pieceBytes) {
        const part = piece.subarray(at, at + pieceBytes);
        await ask('transfers.write', { transfer_id: id, data: part.toString('base64') });
        progress.moved(part.length);
      }
    }
    const { path } = await ask('transfers.finish', { transfer_id: id });
    return { path, bytes: progress.end() };
  } catch (thrown) {
    progress.end();
    await ask('transfers.cancel', { transfer_id: id }).catch(() => undefined);
    throw thrown;
  }
};
