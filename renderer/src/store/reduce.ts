// Snapshot, then events: a pure function of what was known and what the host told. Start, reload and reconnect are one path.
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import type { LinkStatus } from '../host/client.ts';
import type { Snapshot, State } from './state.ts';

const byId = <T extends { id: string }>(items: readonly T[]): Record<string, T> => Object.fromEntries(items.map((item) => [item.id, item]));

/** Entries of the activity log that are kept in the window. */
const mostAudit = 200;

const without = <T>(record: Record<string, T>, id: string): Record<string, T> => {
  const { [id]: _gone, ...rest } = record;
  return rest;
};

const isListed = ({ archived_at }: EnvironmentView): boolean => archived_at === null;

/** How many more are listed now. One that is not known and no younger than all that are was counted by the snapshot. */
const listedMore = (known: EnvironmentView | undefined, now: EnvironmentView, youngest: string): number => {
  if (known === undefined) return now.created_at > youngest && isListed(now) ? 1 : 0;
  return Number(isListed(now)) - Number(isListed(known));
};

const youngerOf = (a: string, b: string): string => (a > b ? a : b);

/** Keeps an environment and the number of those that are listed. */
export const putEnvironment = (state: State, environment: EnvironmentView): State => ({
  ...state,
  environments: { ...state.environments, [environment.id]: environment },
  environmentsTotal: state.environmentsTotal + listedMore(state.environments[environment.id], environment, state.youngestEnvironment),
  youngestEnvironment: youngerOf(environment.created_at, state.youngestEnvironment),
});

const dropEnvironment = (state: State, id: string): State => ({
  ...state,
  environments: without(state.environments, id),
  environmentsTotal: state.environmentsTotal - (state.environments[id]?.archived_at === null ? 1 : 0),
  drafts: without(state.drafts, id),
});

const apply = (state: State, event: AppEvent): State => {
  switch (event.name) {
    case 'environment.changed':
      return putEnvironment(state, event.payload);
    case 'environment.removed':
      return dropEnvironment(state, event.payload.id);
    case 'build.changed':
      return { ...state, builds: { ...state.builds, [event.payload.id]: event.payload } };
    case 'build.removed':
      return { ...state, builds: without(state.builds, event.payload.id) };
    case 'pin.changed':
      return { ...state, pins: { ...state.pins, [event.payload.id]: event.payload } };
    case 'setup_run.changed':
      return { ...state, setupRuns: { ...state.setupRuns, [event.payload.id]: event.payload } };
    case 'session.changed':
      return { ...state, sessions: { ...state.sessions, [event.payload.id]: event.payload } };
    case 'session.removed':
      return { ...state, sessions: without(state.sessions, event.payload.id) };
    case 'terminal.changed':
      return { ...state, terminals: { ...state.terminals, [event.payload.id]: event.payload } };
    case 'agent.changed':
      return { ...state, agents: { ...state.agents, [event.payload.id]: event.payload } };
    case 'agent.removed':
      return { ...state, agents: without(state.agents, event.payload.id) };
    case 'runtimes.changed':
      return { ...state, runtimes: event.payload.runtimes };
    case 'secrets.changed':
      return { ...state, secrets: event.payload };
    case 'registry.changed':
      return { ...state, registry: event.payload };
    case 'audit.added':
      return { ...state, audit: [event.payload, ...state.audit].slice(0, mostAudit) };
    // Streams and the network log are pulled by their viewer, notices are shown and forgotten: none of them is state.
    case 'egress.attempts':
    case 'exec.changed':
    case 'ports.changed':
    case 'usage.measured':
    case 'grant.changed':
    case 'stream.grew':
    case 'notice':
      return state;
  }
};

/** Events that may come in any number, and that are no state. */
const isFloodable = ({ name }: AppEvent): boolean => name === 'stream.grew' || name === 'egress.attempts';

/** Takes one event in. Without a snapshot it is kept for it; an event that the snapshot already holds is dropped. */
export const reduceEvent = (state: State, event: AppEvent): State => {
  if (state.seq === null) return isFloodable(event) ? state : { ...state, early: [...state.early, event] };
  if (event.seq <= state.seq) return state;
  return { ...apply(state, event), seq: event.seq };
};

/** Several environments at once: thousands of them are copied once, not for each. */
const putEnvironments = (state: State, came: readonly EnvironmentView[]): State => {
  const environments = { ...state.environments };
  let { environmentsTotal, youngestEnvironment } = state;
  for (const environment of came) {
    environmentsTotal += listedMore(environments[environment.id], environment, youngestEnvironment);
    youngestEnvironment = youngerOf(environment.created_at, youngestEnvironment);
    environments[environment.id] = environment;
  }
  return { ...state, environments, environmentsTotal, youngestEnvironment };
};

/** Takes several events in, in their order. */
export const reduceEvents = (state: State, events: readonly AppEvent[]): State => {
  let next = state;
  for (let at = 0; at < events.length; ) {
    const run: Extract<AppEvent, { name: 'environment.changed' }>[] = [];
    for (let one = events[at]; one?.name === 'environment.changed'; one = events[at + run.length]) run.push(one);
    const seq = next.seq;
    if (run.length > 1 && seq !== null) {
      const fresh = run.filter((event) => event.seq > seq);
      next = {
        ...putEnvironments(
          next,
          fresh.map(({ payload }) => payload),
        ),
        seq: Math.max(seq, ...fresh.map((event) => event.seq)),
      };
      at += run.length;
    } else {
      const event = events[at];
      if (event) next = reduceEvent(next, event);
      at += 1;
    }
  }
  return next;
};

/** Replaces all nouns by the snapshot's, then plays the events that came while it was on its way. Unsaved edits stay. */
export const reduceSnapshot = (state: State, snapshot: Snapshot): State => {
  const fresh: State = {
    ...state,
    early: [],
    seq: snapshot.seq,
    version: snapshot.version,
    commandLine: snapshot.command_line,
    dataFolder: snapshot.data_folder,
    registry: snapshot.registry,
    runtimes: snapshot.runtimes,
    bases: snapshot.bases,
    environments: byId(snapshot.environments),
    environmentsTotal: snapshot.environments_total,
    youngestEnvironment: snapshot.environments.reduce((known, { created_at }) => youngerOf(created_at, known), ''),
    builds: byId(snapshot.builds),
    pins: {},
    setupRuns: byId(snapshot.setup_runs),
    sessions: byId(snapshot.sessions),
    terminals: byId(snapshot.terminals),
    agents: byId(snapshot.agents),
  };
  return state.early.reduce(reduceEvent, fresh);
};

/** A new state of the link. When it was lost, events are collected again until the next snapshot is here. */
export const reduceLink = (state: State, link: LinkStatus): State =>
  link === 'open' ? { ...state, link, seq: null, early: [] } : { ...state, link };
