// Writes down what was done: each call that changes something, once it has, and how builds, setup runs and sessions ended by themselves.
// A line that cannot be written holds nothing up.
import type { CallName } from '../contract/calls.ts';
import { followEnds, type Line } from './audit-ends.ts';
import { auditWords, type NamesBefore } from './audit-words.ts';
import type { Ground, Handlers, HandlersOf } from './house.ts';

type Rooms = Pick<Ground, 'registry' | 'bus' | 'clock' | 'secrets'>;

const defaultLimit = 100;

const textOf = (value: unknown, key: string): string | null => {
  const found = value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined;
  return typeof found === 'string' ? found : null;
};

/** What an id in the input leads to: whose build, setup run or grant it is. */
const ownerOf = async ({ registry }: Rooms, input: unknown): Promise<{ environment_id: string; session_id?: string | null } | null> => {
  const [buildId, runId, grantId] = [textOf(input, 'build_id'), textOf(input, 'setup_run_id'), textOf(input, 'grant_id')];
  if (buildId !== null) return await registry.builds.find(buildId);
  if (runId !== null) return await registry.setupRuns.find(runId);
  return grantId === null ? null : await registry.egressGrants.find(grantId);
};

const namesBefore = async (rooms: Rooms, input: unknown): Promise<NamesBefore> => {
  const { registry } = rooms;
  const owner = await ownerOf(rooms, input);
  const [agentId, sessionId] = [textOf(input, 'agent_id'), textOf(input, 'session_id') ?? owner?.session_id ?? null];
  const session = sessionId === null ? null : await registry.sessions.find(sessionId);
  const environmentId = textOf(input, 'environment_id') ?? owner?.environment_id ?? session?.environment_id;
  const environment = environmentId === undefined ? null : await registry.environments.find(environmentId);
  const agent = agentId === null ? null : await registry.agents.find(agentId);
  return { environment: environment?.name ?? '', session: session?.name ?? '', agent: agent?.name ?? '' };
};

/** What the call was about: named by its input, else by its answer. */
const placeOf = (name: CallName, input: unknown, output: unknown): Pick<Line, 'environment_id' | 'session_id'> => {
  const idOf = (noun: 'environment' | 'session'): string | null =>
    textOf(input, `${noun}_id`) ?? textOf(output, `${noun}_id`) ?? (name.startsWith(`${noun}s.`) ? textOf(output, 'id') : null);
  return { environment_id: idOf('environment'), session_id: idOf('session') };
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
  const nameOf = async (environmentId: string): Promise<string> => (await registry.environments.find(environmentId))?.name ?? '';
  followEnds({ bus, begun: clock.iso(), add, nameOf });
  const record =
    (name: CallName, handler: (input: never) => Promise<unknown>) =>
    async (input: never): Promise<unknown> => {
      const words = auditWords[name] as ((input: unknown, output: unknown, names: NamesBefore) => string | null) | undefined;
      if (words === undefined) return await handler(input);
      const names = await namesBefore(rooms, input).catch(() => ({ environment: '', session: '', agent: '' }));
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
