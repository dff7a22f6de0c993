// Says in the log of a run what the network policy blocked, below the line that tried it: a script that lives with it passes, and nothing
// else would tell. What was tried is heard of from elsewhere, so it is asked for before the next line is written.
import type { RunAttempts } from './setup-deps.ts';

type Blocked = Awaited<ReturnType<RunAttempts['blockedInRun']>>[number];

export interface BlockedTeller {
  /** Learns what was blocked by now; who asks while somebody waits to look shares that look. Null where nobody hears of it. */
  look: () => Promise<void> | null;
  /** This line begins: answers what is known of those before it and was not answered yet, in sentences. */
  before: (line: number) => string[];
  /** Looks once more; answers the rest, and how many destinations were blocked in all. */
  end: () => Promise<{ rest: string[]; destinations: number }>;
}

const whereOf = ({ host, port }: Blocked): string => (port === null ? host : `${host}:${port}`);

const sentenceOf = (blocked: Blocked): string =>
  `The network policy blocked ${whereOf(blocked)}${blocked.line === null ? '' : ` at line ${blocked.line}`}${
    blocked.reason === 'special_address' ? ': a reserved address, which no rule opens' : ''
  }.`;

/** Tells it of one run, in Sandlot's own words; what cannot be read is left out. */
export const createBlockedTeller = (attempts: Pick<RunAttempts, 'blockedInRun'> | undefined, runId: string): BlockedTeller => {
  const begun = new Set<number | null>([null]);
  const said = new Set<string>();
  let known: Blocked[] = [];
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const lookNow = async (): Promise<void> => {
    next = null;
    known = (await attempts?.blockedInRun(runId).catch(() => null)) ?? known;
  };
  const look = (): Promise<void> | null => {
    if (attempts === undefined) return null;
    next ??= last.then(lookNow);
    last = next;
    return next;
  };
  const unsaid = (isDue: (line: number | null) => boolean): string[] => {
    const due = known.filter(({ line }) => isDue(line)).map(sentenceOf);
    return due.filter((sentence) => !said.has(sentence) && said.add(sentence));
  };
  return {
    look,
    before: (line) => {
      const sentences = unsaid((at) => begun.has(at));
      begun.add(line);
      return sentences;
    },
    end: async () => {
      await look();
      return { rest: unsaid(() => true), destinations: new Set(known.map(whereOf)).size };
    },
  };
};
