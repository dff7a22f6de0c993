// The log of a setup run: lines of four streams over one stream of bytes, with an index beside it (`ID.index`) and the texts of markers
// and of Sandlot's own words (`ID.notes`). Masks secrets before anything is stored. Reading is in line-page.ts.
import type { Clock } from '../base/clock.ts';
import { createLineSplitter, type LineSplitter } from './line-splitter.ts';
import { createLineWriter, openLineFiles } from './line-writer.ts';
import type { Redactor, StreamRedactor } from './redact.ts';
import type { StreamStore } from './stream.ts';

export interface LineLog {
  /** Waits while the disk is slow. @throws disk_full */
  append: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => Promise<void>;
  /** Says that the command on this line of the script begins. */
  mark: (line: number, text: string) => Promise<void>;
  /** A line in Sandlot's own words. */
  system: (text: string) => Promise<void>;
  /** Stores what was held back; no more will come. */
  end: () => Promise<void>;
  truncated: () => boolean;
  /** Lines so far: the `seq` of the newest. */
  count: () => number;
}

interface LineLogOptions {
  store: StreamStore;
  id: string;
  redactor: Redactor;
  clock: Clock;
  /** Of stored text, all four streams together; the beginning is kept. */
  maxBytes?: number;
}

const defaultLogBytes = 4_194_304;
const partialForMs = 1_800;

interface Channel {
  redactor: StreamRedactor;
  splitter: LineSplitter;
}

/** Shows what is held back when it has waited long enough: the rest of a line, and what may be the beginning of a secret. */
const createPartials = (channels: Channel[], write: () => Promise<void>) => {
  let timer: NodeJS.Timeout | null = null;
  const isHolding = ({ redactor, splitter }: Channel): boolean => redactor.held() > 0 || (splitter.hasPartial() && !splitter.isRedrawn());
  const forget = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const show = (isLast: boolean): void => {
    forget();
    for (const { redactor, splitter } of channels) {
      splitter.push(isLast ? redactor.flush() : redactor.release());
      if (isLast || !splitter.isRedrawn()) splitter.flush(isLast);
    }
  };
  const showLate = (): void => {
    show(false);
    // A full disk is reported to the next append.
    write().catch(() => undefined);
  };
  return {
    show,
    watch: (): void => {
      if (!channels.some(isHolding)) forget();
      else timer ??= setTimeout(showLate, partialForMs);
    },
  };
};

/** Starts a log; its three streams must not be there yet. @throws already_exists */
export const createLineLog = async ({ store, id, redactor, clock, maxBytes = defaultLogBytes }: LineLogOptions): Promise<LineLog> => {
  const files = await openLineFiles(store, id, maxBytes);
  const lines = createLineWriter(files, clock, maxBytes);
  const channel = (stream: 'stdout' | 'stderr'): Channel => ({
    redactor: redactor.openStream(),
    splitter: createLineSplitter({
      onLine: (line) => lines.output(stream, line),
      onBlock: (block) => lines.block(stream, block),
    }),
  });
  const channels = { stdout: channel('stdout'), stderr: channel('stderr') };
  const partials = createPartials([channels.stdout, channels.stderr], lines.write);
  const note = (stream: 'marker' | 'system', line: number | null, text: string): Promise<void> => {
    lines.note(stream, line, redactor.redactText(text));
    return lines.write();
  };

  return {
    append: (stream, bytes) => {
      if (lines.truncated()) return Promise.resolve();
      const { redactor: mask, splitter } = channels[stream];
      splitter.push(mask.push(bytes));
      partials.watch();
      return lines.write();
    },
    mark: (line, text) => note('marker', line, text),
    system: (text) => note('system', null, text),
    end: async () => {
      partials.show(true);
      await lines.write();
      await Promise.all([files.notes.end(), files.index.end()]);
      await files.text.end();
    },
    truncated: lines.truncated,
    count: lines.count,
  };
};
