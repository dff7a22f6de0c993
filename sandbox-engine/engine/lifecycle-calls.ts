// The calls about how long sessions go on and are kept, about moving one to another configuration, and what quitting does.
// Source: SPEC.md 7.
import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import type { CallArguments, CallOutput } from '../contract/calls.ts';
import { type Environment, quitChoice, type Session } from '../contract/model.ts';
import { checkHostFolders } from '../session/check-host-folders.ts';
import { leavesSetupOut } from '../session/setup-left-out.ts';
import { assertRoom } from './disk-room.ts';
import { findEnvironment, type Handlers } from './house.ts';
import { launchPlan, type PlanRooms } from './launch-plan.ts';
import type { LiveSessions } from './live-sessions.ts';
import { replacementChanges } from './replacement-changes.ts';

type LifecycleName =
  | 'sessions.undelete'
  | 'sessions.rename'
  | 'sessions.keep'
  | 'sessions.keep_running'
  | 'sessions.measure'
  | 'sessions.drift'
  | 'sessions.apply'
  | 'sessions.replacement'
  | 'sessions.replace';

/** The handlers about the life of sessions. */
export type LifecycleHandlers = Pick<Handlers, LifecycleName>;

const changesMs = 4_000;
const measureMs = 60_000;
const mostExamples = 8;
/** What Sandlot itself puts into every sandbox, and folders that only show that something in them changed. */
const isOurs = (path: string): boolean =>
  /^\/(?:workspace|tmp\/\.sandlot-|home\/sandbox\/(?:\.sandlot|\.cache\/sandlot)|run\/|dev|proc|sys)/.test(path);

/** Folders that a runtime names whatever was done in them. */
const plainFolders = new Set(['/etc', '/home', '/home/sandbox', '/home/sandbox/.cache', '/opt', '/root', '/run', '/tmp', '/usr', '/var']);

/** Files that are no folders of others: what a person would miss. Pure. */
export const changedFiles = (paths: readonly string[]): string[] => {
  const seen = paths.filter((path) => !isOurs(path) && !plainFolders.has(path)).toSorted();
  return seen.filter((path, at) => !(seen[at + 1] ?? '').startsWith(`${path}/`));
};

/** Its own may have been deleted since. @throws not_found */
const targetOf = async ({ house }: PlanRooms, session: Session, id: string | undefined): Promise<Environment> => {
  if (id !== undefined && id !== session.environment_id) return await findEnvironment(house, id);
  const own = await house.registry.environments.find(session.environment_id);
  if (own !== null) return own;
  throw new SandlotError('not_found', `"${session.environment_name}", the environment of session "${session.name}", was deleted.`, {
    nextAction: `Choose another environment: sandlot session replace ${session.id} --env ENVIRONMENT`,
  });
};

/** What would be otherwise, or why it cannot be done. */
const outcomeOf = async (
  rooms: PlanRooms,
  session: Session,
  asked: string | undefined,
): Promise<{ to: string; changes: string[]; setup_left_out: boolean; problem: SandlotError | null }> => {
  let to = session.environment_name;
  try {
    const environment = await targetOf(rooms, session, asked);
    to = environment.name;
    const plan = await launchPlan(rooms, environment, { session });
    rooms.house.sessions.checkReplace(session, plan);
    await checkHostFolders(plan.environment, plan.ownFolder);
    await assertRoom(rooms.house, environment);
    return { to, changes: replacementChanges(session, plan), setup_left_out: leavesSetupOut(session, plan), problem: null };
  } catch (thrown) {
    if (thrown instanceof SandlotError) return { to, changes: [], setup_left_out: false, problem: thrown };
    throw thrown;
  }
};

const changesOf = async ({ house }: PlanRooms, { runtime, container_id }: Session): Promise<string[] | null> => {
  if (container_id === null) return null;
  try {
    return changedFiles(await house.runtimeOf(runtime).listChanges(container_id, AbortSignal.timeout(changesMs)));
  } catch {
    // It takes too long, or the runtime cannot say: the dialog says that it is not known.
    return null;
  }
};

/** Null when it is not told in time. */
const listeningOf = async ({ house }: PlanRooms, session: Session): Promise<CallOutput<'sessions.replacement'>['listening']> => {
  if (session.status !== 'running') return [];
  const asked = house.activity.calls['ports.list']({ session_id: session.id }).catch(() => null);
  const found = await Promise.race([asked, delay(changesMs, null, { ref: false })]);
  return found?.listening?.map(({ port, process }) => ({ port, process })) ?? null;
};

const preview = async (rooms: PlanRooms, asked: CallArguments<'sessions.replacement'>): Promise<CallOutput<'sessions.replacement'>> => {
  const { house } = rooms;
  const session = await house.sessions.get(asked.session_id);
  const [{ to, problem, changes, setup_left_out }, changed, listening, terminals, execs] = await Promise.all([
    outcomeOf(rooms, session, asked.environment_id),
    changesOf(rooms, session),
    listeningOf(rooms, session),
    house.registry.sessions.listTerminals(session.id),
    house.registry.sessions.listExecs(session.id),
  ]);
  return {
    from: session.environment_name,
    to,
    problem: problem?.message ?? null,
    problem_code: problem?.code ?? null,
    next_action: problem?.nextAction ?? null,
    terminals: terminals.filter(({ status }) => status === 'running').map(({ id, title }) => ({ id, title })),
    commands: session.status === 'running' ? execs.filter(({ status }) => status === 'running').length : 0,
    ...{ listening, forwarded: (session.forwards ?? []).map(({ port }) => port) },
    changes,
    changed_files: changed?.length ?? null,
    changed_examples: changed?.slice(0, mostExamples) ?? [],
    workspace_bytes: session.workspace_bytes ?? null,
    setup_left_out,
  };
};

const replace = async (rooms: PlanRooms, asked: CallArguments<'sessions.replace'>): Promise<Session> => {
  const session = await rooms.house.sessions.get(asked.session_id);
  const environment = await targetOf(rooms, session, asked.environment_id);
  await assertRoom(rooms.house, environment);
  return await rooms.house.sessions.replace(session.id, await launchPlan(rooms, environment, { session }));
};

const measure = async ({ house }: PlanRooms, id: string): Promise<Session> => {
  const session = await house.sessions.get(id);
  const { volumes } = await house.runtimeOf(session.runtime).readDiskUse(AbortSignal.timeout(measureMs));
  const bytes = volumes.find(({ name }) => name === session.volume)?.bytes ?? null;
  return await house.sessions.measured(id, bytes);
};

/** Makes the handlers. */
export const createLifecycleCalls = (rooms: PlanRooms, live: LiveSessions): LifecycleHandlers => {
  const { sessions } = rooms.house;
  const { life } = sessions;
  return {
    'sessions.undelete': ({ session_id }) => life.undelete(session_id),
    'sessions.rename': async ({ session_id, name }) => await sessions.keep(session_id, { name }),
    'sessions.keep': ({ session_id, forever }) => life.keep(session_id, forever),
    'sessions.keep_running': ({ session_id }) => life.keepRunning(session_id),
    'sessions.measure': ({ session_id }) => measure(rooms, session_id),
    'sessions.drift': ({ session_id }) => live.drift(session_id),
    'sessions.apply': ({ session_id }) => live.apply(session_id),
    'sessions.replacement': (asked) => preview(rooms, asked),
    'sessions.replace': (asked) => replace(rooms, asked),
  };
};

const quitSetting = 'on_quit';

/** Makes the handlers of `settings.*`. */
export const createSettingsCalls = ({ house: { registry } }: PlanRooms): Pick<Handlers, 'settings.get' | 'settings.update'> => ({
  'settings.get': async () => ({ on_quit: quitChoice.catch('ask').parse(await registry.setting(quitSetting)) }),
  'settings.update': async ({ on_quit }) => {
    await registry.saveSetting(quitSetting, on_quit);
    return { on_quit };
  },
});
