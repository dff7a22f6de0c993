// Questions that screens ask of the state. Pure; lists are newest first unless said otherwise.
import type {
  AgentView,
  Build,
  EnvironmentView,
  Pin,
  RuntimeProbe,
  Session,
  SetupRun,
  Terminal,
} from '../../../sandbox-engine/contract/model.ts';
import type { State } from './state.ts';

/** Instants are all written alike, so their order is that of their characters: a thousand times quicker than that of a language. */
const later = (a: string, b: string): number => (a === b ? 0 : a < b ? 1 : -1);

const newestFirst = <T extends { created_at: string }>(items: T[]): T[] => items.sort((a, b) => later(a.created_at, b.created_at));

/** All agents. */
export const agentsInOrder = (state: State): AgentView[] => newestFirst(Object.values(state.agents));

/** Those that have this environment. */
export const agentsOf = (state: State, environmentId: string): AgentView[] =>
  agentsInOrder(state).filter(({ environment_ids }) => environment_ids.includes(environmentId));

/** Builds of one environment. */
export const buildsOf = (state: State, environmentId: string): Build[] =>
  newestFirst(Object.values(state.builds).filter((build) => build.environment_id === environmentId));

const newestBuild = (state: State, environmentId: string): Build | undefined => {
  let newest: Build | undefined;
  for (const build of Object.values(state.builds)) {
    if (build.environment_id === environmentId && (newest === undefined || build.created_at > newest.created_at)) newest = build;
  }
  return newest;
};

/** Whether the newest build of this environment failed. */
export const hasFailedBuild = (state: State, environmentId: string): boolean => newestBuild(state, environmentId)?.status === 'failed';

/** Whether this environment is being built. */
export const isBuilding = (state: State, environmentId: string): boolean =>
  ['waiting', 'running'].includes(newestBuild(state, environmentId)?.status ?? '');

/** The newest build of each environment that has one. */
export const newestBuilds = (builds: State['builds']): Map<string, Build> => {
  const newest = new Map<string, Build>();
  for (const build of Object.values(builds)) {
    const known = newest.get(build.environment_id);
    if (known === undefined || build.created_at > known.created_at) newest.set(build.environment_id, build);
  }
  return newest;
};

/** Whether sessions boot what this build made; a build that found nothing changed has made what another one did. */
export const isPinnedBuild = ({ image }: EnvironmentView, build: Build, pinned: Build | undefined): boolean => {
  if (image.state === 'none' || image.build_id === null) return false;
  if (build.id === image.build_id) return true;
  return build.image_id !== null && build.image_id === image.image_id && build.fingerprint === pinned?.fingerprint;
};

/** The pin ledger of one environment. */
export const pinsOf = (state: State, environmentId: string): Pin[] =>
  Object.values(state.pins)
    .filter((pin) => pin.environment_id === environmentId)
    .sort((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id));

/** Setup runs of one environment. */
export const setupRunsOf = (state: State, environmentId: string): SetupRun[] =>
  newestFirst(Object.values(state.setupRuns).filter((run) => run.environment_id === environmentId));

/** All sessions, those that live before those that ended. */
export const sessionsInOrder = (state: State, environmentId?: string): Session[] => {
  const all = Object.values(state.sessions).filter((session) => environmentId === undefined || session.environment_id === environmentId);
  return newestFirst(all).sort((a, b) => Number(isLive(b)) - Number(isLive(a)));
};

/** Those that live, without a look at the order of the others. */
export const liveSessions = (state: State): Session[] => newestFirst(Object.values(state.sessions).filter(isLive));

/** Whether the session has, or is getting, a running sandbox. */
export const isLive = (session: Session): boolean => session.status === 'starting' || session.status === 'running';

/** Terminals of one session, oldest first: the order of their tabs. */
export const terminalsOf = (state: State, sessionId: string): Terminal[] =>
  Object.values(state.terminals)
    .filter((terminal) => terminal.session_id === sessionId)
    .sort((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id));

/** Finds anew only when one of the two is another one than before: what is asked at every event may look through ten thousand. */
const unlessSame = <A, B, Found>(find: (a: A, b: B) => Found): ((a: A, b: B) => Found) => {
  let last: { a: A; b: B; found: Found } | null = null;
  return (a, b) => {
    if (last === null || last.a !== a || last.b !== b) last = { a, b, found: find(a, b) };
    return last.found;
  };
};

const inOrderOfUse = unlessSame((environments: State['environments'], sessions: State['sessions']): readonly EnvironmentView[] => {
  const lastUse = new Map<string, string>();
  for (const session of Object.values(sessions)) {
    const known = lastUse.get(session.environment_id) ?? '';
    if (session.created_at > known) lastUse.set(session.environment_id, session.created_at);
  }
  const usedAt = (environment: EnvironmentView) => {
    const launched = lastUse.get(environment.id) ?? '';
    // biome-ignore lint/complexity/useMathMinMax: these are texts
    return launched > environment.updated_at ? launched : environment.updated_at;
  };
  return Object.values(environments)
    .filter((environment) => environment.archived_at === null)
    .map((environment) => ({ environment, at: usedAt(environment) }))
    .sort((a, b) => later(a.at, b.at))
    .map(({ environment }) => environment);
});

/** Environments that were used last (launched or edited), archived ones left out. */
export const recentEnvironments = ({ environments, sessions }: State, count = Number.POSITIVE_INFINITY): readonly EnvironmentView[] =>
  inOrderOfUse(environments, sessions).slice(0, count);

/** The runtime that new environments get; null when none is connected. */
export const defaultRuntime = (state: State): RuntimeProbe | null =>
  state.runtimes.find((runtime) => runtime.is_default && runtime.status === 'connected') ??
  state.runtimes.find((runtime) => runtime.status === 'connected') ??
  null;

const neededRuntimes = unlessSame((environments: State['environments'], sessions: State['sessions']): ReadonlySet<string> => {
  const used = Object.values(environments).filter(({ archived_at }) => archived_at === null);
  return new Set([...used, ...Object.values(sessions).filter(isLive)].map(({ runtime }) => runtime));
});

/** Runtimes that do not answer although environments or live sessions are on them. */
export const awayRuntimes = ({ runtimes, environments, sessions }: State): RuntimeProbe[] => {
  const needed = neededRuntimes(environments, sessions);
  return runtimes.filter(({ id, status }) => status !== 'connected' && needed.has(id));
};

/** Environments that were created after the list was loaded and belong at its top. */
export const createdSince = (
  environments: State['environments'],
  firstLoaded: string | undefined,
  includeArchived: boolean,
): EnvironmentView[] =>
  newestFirst(
    Object.values(environments).filter(
      (environment) =>
        (firstLoaded === undefined || environment.created_at > firstLoaded) && (includeArchived || environment.archived_at === null),
    ),
  );
