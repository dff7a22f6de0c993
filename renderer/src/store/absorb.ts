// Takes nouns out of the answers of calls. An answer may be older than an event that overtook it, so it never replaces
// a noun that events keep current; only an environment with a higher revision, or one asked for by `get`, replaces.
import type { CallName, CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { putEnvironment } from './reduce.ts';
import type { State } from './state.ts';

const addMissing = <T extends { id: string }>(known: Record<string, T>, items: readonly T[]): Record<string, T> => {
  const missing = items.filter((item) => !(item.id in known));
  return missing.length === 0 ? known : { ...known, ...Object.fromEntries(missing.map((item) => [item.id, item])) };
};

const addEnvironments = (state: State, items: readonly EnvironmentView[], refresh = false): State => {
  const newer = items.filter((item) => {
    const known = state.environments[item.id];
    return !known || item.revision > known.revision || (refresh && item.revision === known.revision);
  });
  if (newer.length === 0) return state;
  return { ...state, environments: { ...state.environments, ...Object.fromEntries(newer.map((item) => [item.id, item])) } };
};

/** What a call made is counted here or by its event, whichever comes first. */
const addMade = (state: State, made: EnvironmentView): State => (made.id in state.environments ? state : putEnvironment(state, made));

type Absorbers = { [N in CallName]?: (state: State, value: CallOutput<N>) => State };

const absorbers: Absorbers = {
  'environments.create': addMade,
  'environments.create_from_file': addMade,
  'environments.duplicate': addMade,
  'environments.update': (state, value) => addEnvironments(state, [value]),
  'environments.get': (state, value) => addEnvironments(state, [value], true),
  'environments.list': (state, value) => addEnvironments(state, value.environments),
  'builds.start': (state, value) => ({ ...state, builds: addMissing(state.builds, [value]) }),
  'builds.get': (state, value) => ({ ...state, builds: addMissing(state.builds, [value]) }),
  'builds.list': (state, value) => ({ ...state, builds: addMissing(state.builds, value.builds) }),
  'pins.create': (state, value) => ({ ...state, pins: addMissing(state.pins, [value]) }),
  'pins.remove': (state, value) => ({ ...state, pins: addMissing(state.pins, [value]) }),
  'pins.list': (state, value) => ({ ...state, pins: addMissing(state.pins, value.pins) }),
  'setup_runs.create': (state, value) => ({ ...state, setupRuns: addMissing(state.setupRuns, [value]) }),
  'setup_runs.get': (state, value) => ({ ...state, setupRuns: addMissing(state.setupRuns, [value]) }),
  'setup_runs.list': (state, value) => ({ ...state, setupRuns: addMissing(state.setupRuns, value.setup_runs) }),
  'sessions.launch': (state, value) => ({ ...state, sessions: addMissing(state.sessions, [value]) }),
  'sessions.get': (state, value) => ({ ...state, sessions: addMissing(state.sessions, [value]) }),
  'sessions.list': (state, value) => ({ ...state, sessions: addMissing(state.sessions, value.sessions) }),
  'terminals.open': (state, value) => ({ ...state, terminals: addMissing(state.terminals, [value]) }),
  'terminals.list': (state, value) => ({ ...state, terminals: addMissing(state.terminals, value.terminals) }),
  'secrets.list': (state, value) => ({ ...state, secrets: value }),
  'app.doctor': (state, value) => ({ ...state, runtimes: value.runtimes }),
  'runtimes.set_default': (state, value) => ({ ...state, runtimes: value.runtimes }),
  'runtimes.refresh': (state, value) => ({ ...state, runtimes: value.runtimes }),
  'registry.restore': (state, value) => ({ ...state, registry: value }),
};

/** The state with the nouns of a call's answer added. */
export const absorb = <N extends CallName>(state: State, name: N, value: CallOutput<N>): State => {
  const take: ((state: State, value: CallOutput<N>) => State) | undefined = absorbers[name];
  return take ? take(state, value) : state;
};
