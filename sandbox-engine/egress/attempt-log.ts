// Gathers what sandboxes tried into batches. Alike ones of a moment are counted together, and a sandbox that tries endlessly many
// different things gets a few lines a second and one line for all others: a flood costs neither the disk nor the other thread.
import type { Attempt } from '../contract/model/network.ts';
import { type Allowance, createAllowance } from './allowance.ts';

/** An attempt as the proxy notes it; `id` when it was told of before, while it was open. */
export type AttemptNote = Omit<Attempt, 'id' | 'at' | 'count'> & { id?: string; startedAtMs: number };

export interface AttemptLog {
  note: (note: AttemptNote) => void;
  /** Tells of one that is still open; its id goes into the note that ends it. Null when the sandbox has told too much already. */
  noteOpen: (note: AttemptNote) => string | null;
  /** The sandbox is gone. */
  forget: (sandboxId: string) => void;
  flush: () => void;
  stop: () => void;
}

export interface AttemptLogOptions {
  emit: (batch: Attempt[]) => void;
  newId: () => string;
  flushMs: number;
}

/** Lines of one verdict that a sandbox may write at once, and how many it gets back a second. */
const burst = 500;
const perSecond = 25;

/** Alike attempts of so short a moment are one line. Longer, and two lines of a script that try the same would be one. */
const momentMs = 50;

const toAttempt = (note: AttemptNote, id: string): Attempt => {
  const { startedAtMs, id: _before, ...rest } = note;
  return { id, at: new Date(startedAtMs).toISOString(), ...rest, count: 1 };
};

const kindOf = ({ sandbox_id, policy_revision, protocol, mode, verdict, reason }: AttemptNote): string =>
  `${sandbox_id} ${policy_revision} ${protocol} ${mode} ${verdict} ${reason}`;

const add = (line: Attempt, note: AttemptNote): void => {
  line.count += 1;
  line.bytes_sent += note.bytes_sent;
  line.bytes_received += note.bytes_received;
  line.duration_ms = Math.max(line.duration_ms ?? 0, note.duration_ms ?? 0);
};

// The lines that each sandbox may still write, of what passed and of what was blocked apart: else whoever tries what is blocked often enough
// could reach what is allowed without its name being written down.
const createAllowances = (): { take: (note: AttemptNote) => boolean; forget: (sandboxId: string) => void } => {
  const all = new Map<string, Record<AttemptNote['verdict'], Allowance>>();
  const full = () => createAllowance(burst, perSecond);
  return {
    take: ({ sandbox_id, verdict }) => {
      const own = all.get(sandbox_id) ?? { allowed: full(), blocked: full() };
      all.set(sandbox_id, own);
      return own[verdict].take();
    },
    forget: (sandboxId) => void all.delete(sandboxId),
  };
};

/** Starts a log that hands on a batch every `flushMs` while there is something to tell. */
export const startAttemptLog = ({ emit, newId, flushMs }: AttemptLogOptions): AttemptLog => {
  const allowances = createAllowances();
  let lines = new Map<string, Attempt>();
  let single: Attempt[] = [];

  const flush = () => {
    if (lines.size === 0 && single.length === 0) return;
    const batch = [...single, ...lines.values()];
    lines = new Map();
    single = [];
    emit(batch);
  };
  const timer = setInterval(flush, flushMs);
  timer.unref();

  const count = (key: string, note: AttemptNote, make: () => Attempt) => {
    const line = lines.get(key);
    if (line === undefined) lines.set(key, make());
    else add(line, note);
  };

  const note = (noted: AttemptNote) => {
    if (noted.id !== undefined) {
      single.push(toAttempt(noted, noted.id));
      return;
    }
    const kind = kindOf(noted);
    const key = `${kind} ${noted.host} ${noted.port} ${Math.floor(noted.startedAtMs / momentMs)}`;
    if (lines.has(key) || allowances.take(noted)) {
      count(key, noted, () => toAttempt(noted, newId()));
      return;
    }
    const detail = 'More attempts of this kind than are told apart, to several destinations.';
    count(`${kind} others`, noted, () => ({ ...toAttempt(noted, newId()), host: null, port: null, detail }));
  };

  return {
    note,
    noteOpen: (noted) => {
      if (!allowances.take(noted)) return null;
      const id = newId();
      single.push(toAttempt({ ...noted, duration_ms: null }, id));
      return id;
    },
    forget: allowances.forget,
    flush,
    stop: () => {
      clearInterval(timer);
      flush();
    },
  };
};
