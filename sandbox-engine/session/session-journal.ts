// Writes down what happens to a session beside its terminals: a line of JSON for each change, in a stream of the session's own. What is
// worth a line is told from how the session was before. Pure but for `createJournal`.
import type { Session, TapeEvent, Terminal } from '../contract/model.ts';
import { tapeEvent } from '../contract/model.ts';
import type { StreamStore, StreamWriter } from '../stream/stream.ts';

type Line = Omit<TapeEvent, 'at'>;

const statusLines: Record<Session['status'], Line> = {
  starting: { kind: 'session', tone: 'plain', label: 'Launch' },
  running: { kind: 'session', tone: 'ok', label: 'Running' },
  stopped: { kind: 'session', tone: 'plain', label: 'Stopped' },
  failed: { kind: 'session', tone: 'bad', label: 'Failed' },
  ended: { kind: 'session', tone: 'plain', label: 'Ended' },
};

const withMessage = (line: Line, message: string | null): Line =>
  message === null ? line : { ...line, label: `${line.label}: ${message.slice(0, 300)}` };

/** The steps of a launch in the words of its page; others are told by their name. */
const stepWords: Record<string, string> = {
  gate: 'Network gate',
  image: 'Image found',
  create: 'Sandbox made',
  start: 'Sandbox started',
  secrets: 'Secret files put in',
  files: 'Files brought',
  repository: 'Repository brought',
  desktop: 'Desktop started',
};

const stepLabel = ({ name, status, duration_ms }: Session['steps'][number]): string => {
  if (status === 'failed') return `Step ${name} failed`;
  return `${stepWords[name] ?? name}${duration_ms === null ? '' : ` (${(duration_ms / 1_000).toFixed(1)} s)`}`;
};

const stepLines = (before: Session | null, now: Session): Line[] =>
  now.steps
    .filter(({ name, status }) => status !== 'running' && before?.steps.find((step) => step.name === name)?.status !== status)
    .map((step) => ({ kind: 'step', tone: step.status === 'failed' ? 'bad' : 'ok', label: stepLabel(step) }));

const startLine = ({ status, exit_code }: Session['start_script']): Line => {
  if (status === 'running') return { kind: 'start_script', tone: 'plain', label: 'Start script begins' };
  if (status === 'succeeded') return { kind: 'start_script', tone: 'ok', label: 'Start script is done' };
  return { kind: 'start_script', tone: 'bad', label: `Start script failed with code ${exit_code ?? 'unknown'}` };
};

/** What changed in a session that its tape should show. */
export const linesOfChange = (before: Session | null, now: Session): Line[] => {
  const lines = stepLines(before, now);
  if (before?.status !== now.status) lines.push(withMessage(statusLines[now.status], now.message));
  const { status } = now.start_script;
  if (status !== 'none' && status !== before?.start_script.status) lines.push(startLine(now.start_script));
  if (before?.observed === true && !now.observed) lines.push({ kind: 'session', tone: 'plain', label: 'The rules decide again' });
  if (before !== null && before.environment_id !== now.environment_id)
    lines.push({ kind: 'session', tone: 'plain', label: `Moved to ${now.environment_name}` });
  return lines;
};

/** What changed in a terminal. */
export const linesOfTerminal = (before: Terminal | null, now: Terminal): Line[] => {
  const of = { kind: 'terminal', terminal_id: now.id } as const;
  if (before === null && now.status === 'running') return [{ ...of, tone: 'plain', label: `Terminal ${now.title} opened` }];
  if (now.status === 'running' || before?.status === now.status) return [];
  if (now.ended_with_session) return [{ ...of, tone: 'plain', label: `Terminal ${now.title} ended with the session` }];
  if (now.status === 'lost') return [{ ...of, tone: 'bad', label: `Terminal ${now.title} was lost` }];
  const tone = now.exit_code === 0 || now.exit_code === null ? 'plain' : 'bad';
  return [{ ...of, tone, label: `Terminal ${now.title} ended${now.exit_code === null ? '' : ` with code ${now.exit_code}`}` }];
};

/** All lines that can be read; what a full disk or a kill cut is left out. */
export const readJournal = (text: string): TapeEvent[] =>
  text.split('\n').flatMap((line) => {
    try {
      const parsed = tapeEvent.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });

export interface Journal {
  add: (sessionId: string, at: string, lines: readonly Line[]) => void;
  forget: (sessionId: string) => void;
  settled: () => Promise<void>;
}

interface JournalDeps {
  streams: StreamStore;
  /** The stream of this session; made and kept with it when it has none. null: the session is gone. */
  streamOf: (sessionId: string) => Promise<string | null>;
}

const journalOptions = { keep: 'tail', maxBytes: 1_048_576 } as const;

/** Makes the journal of one host; what cannot be written is left out. */
export const createJournal = ({ streams, streamOf }: JournalDeps): Journal => {
  const writers = new Map<string, Promise<StreamWriter | null>>();
  let writing: Promise<unknown> = Promise.resolve();
  const open = async (sessionId: string): Promise<StreamWriter | null> => {
    const id = await streamOf(sessionId);
    if (id === null) return null;
    return await streams.reopen(id, journalOptions).catch(() => streams.create(id, journalOptions));
  };
  return {
    add: (sessionId, at, lines) => {
      if (lines.length === 0) return;
      const text = lines.map((line) => `${JSON.stringify({ at, ...line })}\n`).join('');
      const writer = writers.get(sessionId) ?? open(sessionId);
      writers.set(sessionId, writer);
      writing = writing.then(async () => await (await writer)?.append(Buffer.from(text))).catch(() => undefined);
    },
    forget: (sessionId) => void writers.delete(sessionId),
    settled: async () => void (await writing),
  };
};
