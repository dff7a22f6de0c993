// The calls about sessions, their terminals and commands, and every stream.
// Source: SPEC.md 7.
import { SandlotError } from '../base/errors.ts';
import type { CallArguments } from '../contract/calls.ts';
import type { Session } from '../contract/model.ts';
import type { WorkspaceCalls } from '../session/workspace.ts';
import { assertRoom } from './disk-room.ts';
import { findEnvironment, type HandlersOf, type House } from './house.ts';
import { launchPlan, type PlanRooms } from './launch-plan.ts';
import type { LifecycleHandlers } from './lifecycle-calls.ts';
import type { LiveSessions } from './live-sessions.ts';

const defaultReadBytes = 256 * 1024;

const done = { ok: true } as const;

const launch = async (rooms: PlanRooms, { environment_id, ...wishes }: CallArguments<'sessions.launch'>): Promise<Session> => {
  const environment = await findEnvironment(rooms.house, environment_id);
  await assertRoom(rooms.house, environment);
  return await rooms.house.sessions.launch(await launchPlan(rooms, environment, wishes));
};

/** The steps of a start script are those of its environment; nothing brings one back that was deleted. */
const wentWithIt = ({ id, name, environment_name }: Session): SandlotError =>
  new SandlotError('not_found', `The environment "${environment_name}" of session "${name}" was deleted, and its start script with it.`, {
    nextAction: `Make the environment again and move the session to it: sandlot session replace ${id} --env NAME. Or launch a new session.`,
  });

/** Makes the handlers of `sessions.*`. */
export const createSessionCalls = (rooms: PlanRooms): Omit<HandlersOf<'sessions'>, keyof LifecycleHandlers | keyof WorkspaceCalls> => {
  const { sessions, registry } = rooms.house;
  return {
    'sessions.launch': (asked) => launch(rooms, asked),
    'sessions.get': ({ session_id }) => sessions.get(session_id),
    'sessions.list': async ({ environment_id, limit, cursor }) => {
      if (limit === undefined && cursor === undefined) return { sessions: await sessions.list(environment_id), next_cursor: null };
      const page = await registry.history.sessions({ environmentId: environment_id, limit: limit ?? 100, cursor });
      return { sessions: page.items, next_cursor: page.nextCursor };
    },
    // The answer says until when it is kept.
    'sessions.stop': async ({ session_id }) => await sessions.life.consider(await sessions.stop(session_id)),
    'sessions.resume': ({ session_id }) => sessions.resume(session_id),
    'sessions.end_observation': ({ session_id }) => sessions.endObservation(session_id),
    'sessions.retry_start_script': async ({ session_id }) => {
      const session = await sessions.get(session_id);
      const environment = await registry.environments.find(session.environment_id);
      if (environment === null) throw wentWithIt(session);
      return await sessions.retryStartScript(session_id, environment);
    },
    'sessions.restart': ({ session_id }) => sessions.restart(session_id),
    'sessions.delete': async ({ session_id, undo_seconds = 0 }) => {
      if (undo_seconds === 0) await sessions.remove(session_id);
      else await sessions.life.softDelete(session_id, undo_seconds);
      return done;
    },
  };
};

/** Makes the handlers of `terminals.*`, `execs.*`, `stream.*`. */
export const createTerminalCalls = (
  { registry, sessions, streams }: House,
  turns: Pick<LiveSessions, 'beforeTurn'>,
): HandlersOf<'terminals' | 'execs' | 'stream'> => ({
  'terminals.open': async ({ session_id, cols, rows, title }) => {
    await turns.beforeTurn(session_id);
    return await sessions.openTerminal(session_id, { cols, rows, ...(title === undefined ? {} : { title }) });
  },
  'terminals.write': async ({ terminal_id, data }) => {
    await sessions.writeTerminal(terminal_id, Buffer.from(data, 'base64'));
    return done;
  },
  'terminals.resize': async ({ terminal_id, cols, rows }) => {
    await sessions.resizeTerminal(terminal_id, cols, rows);
    return done;
  },
  'terminals.close': async ({ terminal_id }) => {
    await sessions.closeTerminal(terminal_id);
    return done;
  },
  'terminals.list': async ({ session_id }) => ({ terminals: await registry.sessions.listTerminals(session_id) }),
  'execs.start': async ({ session_id, command, workdir }) => {
    await turns.beforeTurn(session_id);
    return await sessions.startExec(session_id, { command, ...(workdir === undefined ? {} : { workdir }) });
  },
  'execs.get': ({ exec_id, wait_seconds }) => sessions.getExec(exec_id, wait_seconds ?? 0),
  'execs.kill': async ({ exec_id }) => {
    await sessions.killExec(exec_id);
    return done;
  },
  'stream.read': async ({ stream_id, from, max_bytes }) => {
    const { bytes, ...slice } = await streams.read(stream_id, from, max_bytes ?? defaultReadBytes);
    return { ...slice, data: bytes.toString('base64') };
  },
});
