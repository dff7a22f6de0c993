// Puts the mask before a stream: what is appended is kept and told only without secrets, also where one comes in pieces.
import type { Redactor } from './redact.ts';
import type { StreamWriter } from './stream.ts';

/** What looks like the beginning of a secret waits for its rest: a few letters for as long as pieces of one output lie apart, so that
 * typing stays quick; more of it as long as a person would wait for a word. */
const shortWaitMs = 4;
const longWaitMs = 1_800;
const fewBytes = 4;

const settled = Promise.resolve();

export interface MaskedWriter {
  writer: StreamWriter;
  /** Writes what is held back, masked as far as it is a whole secret. */
  flush: () => Promise<void>;
}

/** Wraps a writer; as long as there is nothing to mask, bytes go straight through. */
export const maskWriter = (inner: StreamWriter, redactor: Redactor): MaskedWriter => {
  const mask = redactor.openStream();
  let timer: NodeJS.Timeout | null = null;

  const write = (bytes: Buffer): Promise<void> => (bytes.length === 0 ? settled : inner.append(bytes));
  const forget = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const release = (): void => {
    timer = null;
    // A full disk is reported to the next append.
    write(mask.release()).catch(() => undefined);
  };
  const watch = (): void => {
    forget();
    const held = mask.held();
    if (held > 0) timer = setTimeout(release, held < fewBytes ? shortWaitMs : longWaitMs);
  };
  const flush = (): Promise<void> => {
    forget();
    return write(mask.flush());
  };

  return {
    flush,
    writer: {
      id: inner.id,
      size: inner.size,
      append: (bytes) => {
        if (!redactor.isMasking() && timer === null) return inner.append(bytes);
        const safe = mask.push(bytes);
        watch();
        return write(safe);
      },
      end: async () => {
        await flush();
        await inner.end();
      },
    },
  };
};
