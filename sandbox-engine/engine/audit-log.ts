// Writes down what was done: each call that changes something, once it has, and how builds, setup runs and sessions ended by themselves.
// A line that cannot be written holds nothing up.
import type { EventBus } from '../base/event-bus.ts';
import type { CallName } from '../contract/calls.ts';
import type { AppEvent } from '../contract/events.ts';
import type { AuditEntry, Build, Session, SetupRun } from '../contract/model.ts';
import { auditWords, type NamesBefore } from './audit-words.ts';
import type { Ground, Handlers, HandlersOf } from './house.ts';

type Rooms = Pick<Ground, 'registry' | 'bus' | 'clock' | 'secrets'>;
type Line = Omit<AuditEntry, 'seq' | 'at' | 'about'>;

const defaultLimit = 100;

const textOf = (value: unknown, key: string): string | null => {
  const found = value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined;
  return typeof found === 'string' ? found : null;
};

const namesBefore = async ({ registry }: Rooms, input: unknown): Promise<NamesBefore> => {
  const [environmentId, sessionId] = [textOf(input, 'environment_id'), textOf(input, 'session_id')];
  const session = sessionId === null ? null : await registry.sessions.find(sessionId);
  const ownerId = environmentId ?? session?.environment_id;
  const environment = ownerId === undefined ? null : await registry.environments.find(ownerId);
  return { environment: environment?.name ?? '', session: session?.name ?? '' };
};

/** What the call was about: named by its input, else by its answer. */
const placeOf = (name: CallName, input: unknown, output: unknown): Pick<Line, 'environment_id' | 'session_id'> => {
  const idOf = (noun: 'environment' | 'session'): string | null =>
    textOf(input, `${noun}_id`) ?? textOf(output, `${noun}_id`) ?? (name.startsWith(`${noun}s.`) ? textOf(output, 'id') : null);
  return { environment_id: idOf('environment'), session_id: idOf('session') };
};

const endOfBuild = ({ status, environment_id, error }: Build): Line | null => {
  const place = { environment_id, session_id: null };
  if (status === 'succeeded') return { action: 'build.succeeded', kind: 'ok', text: 'A build succeeded', ...place };
  if (status === 'failed')
    return { action: 'build.failed', kind: 'failed', text: `A build failed: ${error?.message ?? 'no reason was given'}`, ...place };
  return null;
};

const endOfRun = ({ status, environment_id, hint, failed_line, observed }: SetupRun): Line | null => {
  const place = { environment_id, session_id: null };
  if (status === 'succeeded')
    return {
      action: 'setup_run.succeeded',
      kind: 'ok',
      text: observed ? 'An observed setup run ended; it proves nothing' : 'Setup passed',
      ...place,
    };
  if (status !== 'failed') return null;
  const at = failed_line === null ? '' : ` at line ${failed_line}`;
  return {
    action: 'setup_run.failed',
    kind: 'failed',
    text: `${observed ? 'An observed setup run' : 'Setup'} failed${at}${hint === null ? '' : `: ${hint}`}`,
    ...place,
  };
};

const endOfSession = ({ status, id, environment_id, name, message, deleted_at, deleted_by_itself }: Session): Line | null => {
  const place = { environment_id, session_id: id };
  if (deleted_at) {
    if (deleted_by_itself !== true) return null;
    const text = `Session "${name}" was kept for as long as its environment says and is deleted; for a day that can be undone`;
    return { action: 'session.deleted', kind: 'ok', text, ...place };
  }
  if (status === 'failed') {
    return { action: 'session.failed', kind: 'failed', text: `Session "${name}" failed: ${message ?? 'no reason was given'}`, ...place };
  }
  if (status === 'stopped' && message !== null) {
    return { action: 'session.stopped', kind: 'ok', text: `Session "${name}" stopped: ${message}`, ...place };
  }
  return null;
};

const lineOf = (event: AppEvent): Line | null => {
  if (event.name === 'build.changed') return endOfBuild(event.payload);
  if (event.name === 'setup_run.changed') return endOfRun(event.payload);
  return event.name === 'session.changed' ? endOfSession(event.payload) : null;
};

const isRow = (event: AppEvent): event is Extract<AppEvent, { name: 'build.changed' | 'setup_run.changed' | 'session.changed' }> =>
  event.name === 'build.changed' || event.name === 'setup_run.changed' || event.name === 'session.changed';

const deleted = 'deleted';

/** What one of them is as far as its end goes. */
const stateOf = (row: Build | SetupRun | Session): string => ('deleted_at' in row && row.deleted_at ? deleted : row.status);

const endedAt = (row: Build | SetupRun | Session): string | null =>
  'finished_at' in row ? row.finished_at : (row.deleted_at ?? row.ended_at ?? row.stopped_at);

const followEnds = (bus: EventBus, begun: string, add: (line: Line) => Promise<void>): void => {
  // Of a noun whose end is told, its state; a row that changes again without a change of state is no second end.
  const states = new Map<string, string>();
  bus.subscribe((event) => {
    if (!isRow(event)) return;
    const { id } = event.payload;
    const [before, state] = [states.get(id), stateOf(event.payload)];
    if (before === state) return;
    states.set(id, state);
    // What is brought back does not end anew.
    if (before === deleted) return;
    // What had ended before this host began was written down by the one before.
    const isOld = (endedAt(event.payload) ?? begun) < begun;
    const line = isOld ? null : lineOf(event);
    if (line !== null) void add(line);
  });
};

/** Makes the log: `recorded` wraps the handlers, `calls` reads it. */
export const openAuditLog = (rooms: Rooms): { recorded: (handlers: Handlers) => Handlers; calls: HandlersOf<'audit'> } => {
  const { registry, bus, clock, secrets } = rooms;
  const add = async (line: Line): Promise<void> => {
    const entry = { ...line, text: secrets.redactText(line.text).slice(0, 1_000), at: clock.iso() };
    await registry.audit.add(entry).then(
      (kept) => bus.emit('audit.added', kept),
      () => undefined,
    );
  };
  followEnds(bus, clock.iso(), add);
  const record =
    (name: CallName, handler: (input: never) => Promise<unknown>) =>
    async (input: never): Promise<unknown> => {
      const words = auditWords[name] as ((input: unknown, output: unknown, names: NamesBefore) => string | null) | undefined;
      if (words === undefined) return await handler(input);
      const names = await namesBefore(rooms, input).catch(() => ({ environment: '', session: '' }));
      const output = await handler(input);
      const text = words(input, output, names);
      if (text !== null) void add({ action: name, kind: 'asked', text, ...placeOf(name, input, output) });
      return output;
    };
  return {
    recorded: (handlers) =>
      Object.fromEntries(
        Object.entries(handlers).map(([name, handler]) => [
          name,
          name in auditWords ? record(name as CallName, handler as (input: never) => Promise<unknown>) : handler,
        ]),
      ) as unknown as Handlers,
    calls: {
      'audit.list': async ({ before, limit = defaultLimit, environment_id, session_id, about, search }) => {
        const entries = await registry.audit.list({
          ...{ before, environmentId: environment_id, sessionId: session_id, about, search },
          limit: limit + 1,
        });
        return { entries: entries.slice(0, limit), has_more: entries.length > limit };
      },
    },
  };
};
