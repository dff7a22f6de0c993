// Writes down what sandboxes try: says whose attempt it was and what caused it, keeps it, tells it. What floods in is written in batches, one
// transaction each, and told in bounded events; a decision never waits for any of this.
// Source: SPEC.md 6 ("Decisions are logged").
import { SandlotError } from '../base/errors.ts';
import type { EventBus } from '../base/event-bus.ts';
import type { Attempt, AttemptCause, EgressReason, KeptAttempt, LoggedAttempt } from '../contract/model.ts';
import type { Registry } from '../registry/registry.ts';
import { createLineClock, type LineClock } from './line-clock.ts';
import { createRecentAttempts, type LateLine } from './recent-attempts.ts';

export interface EgressBook {
  /** Takes a batch of the proxy; answers at once. */
  take: (batch: readonly Attempt[]) => void;
  /** A line of the script of this setup run began; that may be heard after what it tried. */
  lineBegan: (runId: string, line: number, atMs: number) => void;
  /** What was blocked, and then what was not reached, since the newest line of this run began, the last first, each destination once. */
  blockedAtLine: (runId: string) => Promise<BlockedThere[]>;
  /** What was blocked in all of this run, in the order of its lines, each destination once a line. */
  blockedInRun: (runId: string) => Promise<BlockedAt[]>;
  /** Resolves when all that was taken is written and told. */
  settled: () => Promise<void>;
}

/** A destination that was blocked, or not reached, while a line of a setup script ran. */
export interface BlockedThere {
  host: string;
  port: number | null;
  reason: EgressReason;
}

export interface BlockedAt extends BlockedThere {
  /** null: before the first line began. */
  line: number | null;
}

export interface EgressBookDeps {
  registry: Pick<Registry, 'egressLog' | 'sessions' | 'setupRuns'>;
  bus: EventBus;
  now: () => number;
  /** Resolves when the proxy has told all that it has seen by now. */
  flush: () => Promise<void>;
  /** Attempts with their sentences. */
  tell: (attempts: readonly KeptAttempt[]) => Promise<LoggedAttempt[]>;
  /** A name can carry a secret away, and does not carry it into the log. */
  redactText: (text: string) => string;
}

const most = { atOnce: 5_000, waiting: 20_000, told: 200, looked: 500 };
const warnAgainMs = 60_000;

interface Owner {
  environmentId: string;
  cause: (attempt: Attempt) => AttemptCause | null;
}

const ownerOfSession = async ({ registry }: EgressBookDeps, id: string): Promise<Owner | null> => {
  const session = await registry.sessions.find(id);
  if (session === null) return null;
  const [terminals, execs] = await Promise.all([registry.sessions.listTerminals(id), registry.sessions.listExecs(id)]);
  const open = terminals.filter(({ status }) => status === 'running');
  const isAlone = open.length === 1 && session.start_script.status !== 'running' && execs.every(({ status }) => status !== 'running');
  const [terminal] = open;
  const cause: AttemptCause | null = isAlone && terminal !== undefined ? { kind: 'terminal', terminal_id: terminal.id } : null;
  return { environmentId: session.environment_id, cause: () => cause };
};

const ownerOf = async (deps: EgressBookDeps, lines: LineClock, id: string): Promise<Owner | null> => {
  if (!id.startsWith('run_')) return await ownerOfSession(deps, id);
  const run = await deps.registry.setupRuns.find(id);
  if (run === null) return null;
  return {
    environmentId: run.environment_id,
    cause: ({ at }) => {
      const line = lines.at(id, Date.parse(at));
      return line === null ? null : { kind: 'setup_line', line };
    },
  };
};

const keep = (attempt: Attempt, owner: Owner, redactText: (text: string) => string): KeptAttempt => ({
  ...attempt,
  host: attempt.host === null ? null : redactText(attempt.host),
  detail: attempt.detail === null ? null : redactText(attempt.detail),
  environment_id: owner.environmentId,
  session_id: attempt.sandbox_id.startsWith('ses_') ? attempt.sandbox_id : null,
  setup_run_id: attempt.sandbox_id.startsWith('run_') ? attempt.sandbox_id : null,
  cause: owner.cause(attempt),
});

const keepAll = async (deps: EgressBookDeps, lines: LineClock, batch: readonly Attempt[]): Promise<KeptAttempt[]> => {
  const owners = new Map<string, Owner | null>();
  for (const id of new Set(batch.map(({ sandbox_id }) => sandbox_id))) owners.set(id, await ownerOf(deps, lines, id));
  return batch.flatMap((attempt) => {
    const owner = owners.get(attempt.sandbox_id) ?? null;
    return owner === null ? [] : [keep(attempt, owner, deps.redactText)];
  });
};

const onceEach = (attempts: readonly KeptAttempt[]): BlockedThere[] => {
  const found = new Map<string, BlockedThere>();
  for (const { host, port, reason } of attempts) {
    if (host !== null && !found.has(`${host}:${port}`)) found.set(`${host}:${port}`, { host, port, reason });
  }
  return [...found.values()];
};

const lineOf = ({ cause }: KeptAttempt): number | null => (cause?.kind === 'setup_line' ? cause.line : null);

const byLine = (attempts: readonly KeptAttempt[]): BlockedAt[] =>
  [...new Set(attempts.map(lineOf))]
    .sort((one, other) => (one ?? 0) - (other ?? 0))
    .flatMap((line) => onceEach(attempts.filter((attempt) => lineOf(attempt) === line)).map((blocked) => ({ ...blocked, line })));

/** Says once a minute, not at each attempt, that something is amiss. */
const createWarning = ({ bus, now }: EgressBookDeps): ((message: string) => void) => {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (message) => {
    if (now() - warnedAt < warnAgainMs) return;
    warnedAt = now();
    bus.emit('notice', { level: 'warning', message: `${message} What a sandbox may reach is decided all the same.` });
  };
};

/** Keeps attempts and tells them. */
const write = async (deps: EgressBookDeps, kept: readonly KeptAttempt[]): Promise<void> => {
  if (kept.length === 0) return;
  await deps.registry.egressLog.save(kept);
  const attempts = await deps.tell(kept.slice(-most.told));
  deps.bus.emit('egress.attempts', { attempts, left_off: kept.length - attempts.length });
};

/** What comes in waits here while something is being written; beyond a bound the oldest is let go. */
const createWriter = (deps: EgressBookDeps, lines: LineClock) => {
  const warn = createWarning(deps);
  const recent = createRecentAttempts();
  let waiting: Attempt[] = [];
  let late: LateLine[] = [];
  let writing: Promise<void> | null = null;
  const writeBatch = async (batch: readonly Attempt[], began: readonly LateLine[]): Promise<void> => {
    const kept = await keepAll(deps, lines, batch);
    const joined = began.flatMap((line) => recent.joinTo(line));
    recent.add(kept);
    await write(deps, [...kept, ...joined]);
  };
  const writeAll = async (): Promise<void> => {
    while (waiting.length + late.length > 0) {
      const batch = waiting.splice(0, most.atOnce);
      const began = late;
      late = [];
      await writeBatch(batch, began).catch((thrown: unknown) => {
        const why = thrown instanceof SandlotError ? thrown.message : String(thrown);
        warn(`What sandboxes tried to reach could not be written down: ${why}`);
      });
    }
    writing = null;
  };
  return {
    take: (batch: readonly Attempt[]): void => {
      if (batch.length === 0) return;
      waiting = waiting.concat(batch);
      const excess = waiting.length - most.waiting;
      if (excess > 0) {
        warn(`Sandboxes try more than can be written down; ${excess} attempts were left out.`);
        waiting.splice(0, excess);
      }
      writing ??= writeAll();
    },
    /** What was written before its line was heard of is written again with it. */
    lineBegan: (line: LateLine): void => {
      lines.began(line.runId, line.line, line.atMs);
      if (!recent.isTouched(line)) return;
      late.push(line);
      writing ??= writeAll();
    },
    settled: async (): Promise<void> => {
      while (writing !== null) await writing;
    },
  };
};

/** Makes the book of one host. */
export const createEgressBook = (deps: EgressBookDeps): EgressBook => {
  const lines = createLineClock();
  const { take, settled, lineBegan } = createWriter(deps, lines);
  const seenOf = async (runId: string, verdict: 'blocked' | 'failed') =>
    (await deps.registry.egressLog.list({ sandboxId: runId, verdict, limit: most.looked })).attempts;
  const upToNow = async (): Promise<void> => {
    await deps.flush();
    await settled();
  };
  return {
    take,
    settled,
    lineBegan: (runId, line, atMs) => lineBegan({ runId, line, atMs }),
    blockedAtLine: async (runId) => {
      const line = lines.newest(runId);
      if (line === null) return [];
      await upToNow();
      const attempts = [...(await seenOf(runId, 'blocked')), ...(await seenOf(runId, 'failed'))];
      return onceEach(attempts.filter((attempt) => lineOf(attempt) === line));
    },
    blockedInRun: async (runId) => {
      await upToNow();
      return byLine(await seenOf(runId, 'blocked'));
    },
  };
};
