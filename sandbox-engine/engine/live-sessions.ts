// Sessions and the configuration that their environments have by now: what differs, giving a running sandbox what it can be given, and
// `live`: before each turn a session is brought to what its environment says, and a network rule that closes something does so at once.
// Source: SPEC.md 7 (live), 6 (a running session keeps its policy revision).
import { SandlotError } from '../base/errors.ts';
import { createTurns } from '../base/take-turns.ts';
import type { CallOutput } from '../contract/calls.ts';
import type { Environment, Session } from '../contract/model.ts';
import { findEnvironment } from './house.ts';
import { appliedParts, launchPlan, type PlanRooms, serverHosts } from './launch-plan.ts';
import { isBehindByGrantsOnly, keepsOtherRules } from './session-rules.ts';

export interface LiveSessions {
  /** Brings a session of a `live` environment to its newest configuration. @throws what kept the new sandbox from starting; the old one stays */
  beforeTurn: (sessionId: string) => Promise<void>;
  drift: (sessionId: string) => Promise<CallOutput<'sessions.drift'>>;
  /** @throws replace_needed @throws session_not_running */
  apply: (sessionId: string) => Promise<Session>;
  /** From now on an edit of a `live` environment's network reaches its sessions at once. */
  follow: () => void;
  /** Brings to sessions what a host that ended did not come to: before anything is let through for them. */
  catchUp: () => Promise<void>;
}

/** Names of the parts in which two configurations differ; of a session from before it was told of, hosts of servers are none. Pure. */
export const differing = (before: Record<string, string> | undefined, now: Record<string, string>): string[] => {
  if (before === undefined) return [];
  return Object.keys(now).filter((name) => before[name] !== now[name] && (name !== serverHosts || name in before));
};

const ofTheGate: readonly string[] = ['network rules', serverHosts];

/** Whether a change of this part needs another sandbox: one that was made without any network has no gate that could take rules. Pure. */
export const needsAnother = ({ network }: Pick<Session, 'network'>, part: string): boolean =>
  !appliedParts.includes(part) || (ofTheGate.includes(part) && network === 'none');

const stays = (session: Session, thrown: unknown): unknown => {
  if (!(thrown instanceof SandlotError) || thrown.message.includes('goes on as it was')) return thrown;
  const message = `The environment of "${session.name}" has changed and a sandbox of it cannot start, so the old one goes on as it was: ${thrown.message}`;
  return new SandlotError(thrown.code, message, {
    cause: thrown,
    details: thrown.details,
    nextAction: thrown.nextAction ?? 'Mend the environment, or switch "live" off in it to go on with the old sandbox.',
  });
};

/** Puts the environment's network rules in force for a sandbox behind a gate. */
const applyRules = async ({ house }: PlanRooms, session: Session, environment: Environment): Promise<void> => {
  if (session.network !== 'gate' || !('rules' in environment.network_policy)) return;
  const presets = await house.presets.of(environment);
  await house.networks.change(session.id, { policy: environment.network_policy, presets, revision: environment.revision });
};

/** What a running sandbox can be given without another one. */
const applyParts = async (rooms: PlanRooms, session: Session, environment: Environment): Promise<Session> => {
  const plan = await launchPlan(rooms, environment, { session });
  await applyRules(rooms, session, environment);
  return await rooms.house.sessions.adapt(session.id, plan);
};

/** The parts in which it differs; rules that it has by a grant are none. */
const partsOf = async (rooms: PlanRooms, session: Session, environment: Environment): Promise<string[]> => {
  const { registry, egress } = rooms.house;
  const parts = differing(session.config, (await launchPlan(rooms, environment, { session })).config ?? {});
  if (session.network !== 'gate' || !parts.includes('network rules')) return parts;
  const isOther = await keepsOtherRules({ registry, livePolicy: egress.policies.livePolicy }, session, environment);
  return isOther ? parts : parts.filter((part) => part !== 'network rules');
};

const driftOf = async (rooms: PlanRooms, sessionId: string): Promise<CallOutput<'sessions.drift'>> => {
  const session = await rooms.house.sessions.get(sessionId);
  const environment = await rooms.house.registry.environments.find(session.environment_id);
  const told = {
    session_revision: session.environment_revision,
    environment_revision: environment?.revision ?? null,
    live: environment?.live ?? false,
  };
  if (environment === null) return { ...told, to_apply: [], to_replace: [], problem: null };
  try {
    const parts = await partsOf(rooms, session, environment);
    const to_replace = parts.filter((part) => needsAnother(session, part));
    return { ...told, to_apply: parts.filter((part) => !to_replace.includes(part)), to_replace, problem: null };
  } catch (thrown) {
    if (!(thrown instanceof SandlotError)) throw thrown;
    // What a new sandbox lacks is no concern of one that has all that its environment says.
    const isSame = await isBehindByGrantsOnly(rooms.house, session, environment);
    return { ...told, to_apply: [], to_replace: [], problem: isSame ? null : thrown.message };
  }
};

const bringUp = async (rooms: PlanRooms, session: Session, environment: Environment): Promise<void> => {
  const { sessions } = rooms.house;
  try {
    const plan = await launchPlan(rooms, environment, { session });
    const parts = differing(session.config, plan.config ?? {});
    if (parts.some((part) => needsAnother(session, part))) return void (await sessions.replace(session.id, plan));
    if (parts.length === 0 && session.environment_revision === environment.revision) return;
    await applyRules(rooms, session, environment);
    await sessions.adapt(session.id, plan);
  } catch (thrown) {
    throw stays(session, thrown);
  }
};

const isOpen = ({ network_policy }: Environment): boolean => !('rules' in network_policy);

/** Puts the newest rules in force for one session without waiting for its next turn: a stopped one must not begin under those before. */
const tighten = async (rooms: PlanRooms, session: Session, environment: Environment): Promise<void> => {
  const { status, observed, container_id: containerId } = session;
  if (!['running', 'stopped'].includes(status) || containerId === null) return;
  if (observed || session.environment_revision >= environment.revision) return;
  if (session.network === 'gate') return await applyRules(rooms, session, environment);
  if (session.network !== 'unrestricted' || isOpen(environment)) return;
  // It cannot be put behind a gate where it stands: it is cut off until its next turn brings another sandbox.
  await rooms.house.runtimeOf(session.runtime).leaveNetworks(containerId);
  await rooms.house.sessions.say(
    session.id,
    'Its environment has network rules now, so this sandbox was taken off its open network. The next terminal or command brings a new sandbox behind the rules.',
  );
};

/** Follows edits of `live` environments, and what was launched, resumed or replaced while one was made. */
const createFollowing = (rooms: PlanRooms) => {
  const { house } = rooms;
  const running = new Map<string, string | null>();
  const complain = (thrown: unknown): void =>
    house.bus.emit('notice', {
      level: 'error',
      message: `New network rules did not reach all running sessions: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    });
  /** One that cannot be reached keeps no other from its rules. */
  const reach = async (session: Session, environment: Environment): Promise<void> => {
    if (environment.live) await tighten(rooms, session, environment).catch(complain);
  };
  const onEnvironment = async (id: string): Promise<void> => {
    const environment = await house.registry.environments.find(id);
    if (environment?.live !== true) return;
    await Promise.all((await house.sessions.list(id)).map((session) => reach(session, environment)));
  };
  const onSession = async ({ id, environment_id }: Session): Promise<void> => {
    const environment = await house.registry.environments.find(environment_id);
    if (environment?.live === true) await reach(await house.sessions.get(id), environment);
  };
  /** Whether it is a sandbox that did not run when this session was last told of. */
  const isNew = ({ id, status, container_id: containerId }: Session): boolean => {
    const before = running.get(id);
    if (status === 'running') running.set(id, containerId);
    else running.delete(id);
    return status === 'running' && before !== containerId;
  };
  return {
    follow: (): void => {
      house.bus.subscribe((event) => {
        if (event.name === 'environment.changed' && event.payload.live) onEnvironment(event.payload.id).catch(complain);
        else if (event.name === 'session.changed' && isNew(event.payload)) onSession(event.payload).catch(complain);
        else if (event.name === 'session.removed') running.delete(event.payload.id);
      });
    },
    catchUp: async (): Promise<void> => {
      const ids = new Set((await house.sessions.list()).map(({ environment_id }) => environment_id));
      for (const id of ids) await onEnvironment(id).catch(complain);
    },
  };
};

/** Makes them for one host. */
export const createLiveSessions = (rooms: PlanRooms): LiveSessions => {
  const { house } = rooms;
  const inTurn = createTurns();
  return {
    beforeTurn: (sessionId) =>
      inTurn(sessionId, async () => {
        const session = await house.sessions.launched(sessionId);
        if (session.status !== 'running' || session.observed) return;
        const environment = await house.registry.environments.find(session.environment_id);
        if (environment?.live === true) await bringUp(rooms, session, environment);
      }),
    drift: (sessionId) => driftOf(rooms, sessionId),
    apply: async (sessionId) => {
      const session = await house.sessions.get(sessionId);
      if (session.status !== 'running') {
        throw new SandlotError(
          'session_not_running',
          `Session "${session.name}" is ${session.status}: only a running one can be given anything.`,
        );
      }
      const environment = await findEnvironment(house, session.environment_id);
      const { to_replace, problem } = await driftOf(rooms, sessionId);
      if (problem === null && to_replace.length === 0) return await applyParts(rooms, session, environment);
      throw new SandlotError('replace_needed', problem ?? `Another sandbox is needed for: ${to_replace.join(', ')}.`, {
        nextAction: `Replace it: sandlot session replace ${sessionId}`,
      });
    },
    ...createFollowing(rooms),
  };
};
