// The calls about sessions, their terminals and commands, and every stream.
// Source: SPEC.md 7.
import { SandlotError } from '../base/errors.ts';
import type { Environment } from '../contract/model.ts';
import type { PrepareDefaultBase } from './default-base.ts';
import type { EnvironmentViews } from './environment-views.ts';
import type { HandlersOf, House } from './house.ts';
import { sessionImage } from './resolve-image.ts';
import { resolveResources } from './resolve-resources.ts';

const defaultReadBytes = 256 * 1024;

/** Makes the handlers of `sessions.*`, `terminals.*`, `execs.*`, `stream.*`. */
export const createSessionCalls = (
  house: House,
  views: EnvironmentViews,
  defaultBase: PrepareDefaultBase,
): HandlersOf<'sessions' | 'terminals' | 'execs' | 'stream'> => {
  const { registry, sessions, streams } = house;
  const done = { ok: true } as const;

  const findEnvironment = async (id: string): Promise<Environment> => {
    const environment = await registry.environments.find(id);
    if (environment === null)
      throw new SandlotError('not_found', `There is no environment "${id}".`, { nextAction: 'List them with: sandlot env list' });
    return environment;
  };

  const launch = async (environment: Environment, name: string | undefined) => {
    const view = await views.of(environment);
    const image = sessionImage(view);
    const runtimeId = environment.runtime;
    const compute = resolveResources(environment.resources, await house.runtimes.info(runtimeId));
    return await sessions.launch({
      environment,
      runtimeId,
      imageSource: image.source,
      fallback: image.fallback,
      image: image.imageId === null ? (signal, onLine) => defaultBase(runtimeId, signal, onLine) : image.imageId,
      envVars: environment.env_vars,
      ...compute,
      ...(name === undefined ? {} : { name }),
    });
  };

  return {
    'sessions.launch': async ({ environment_id, name }) => await launch(await findEnvironment(environment_id), name),
    'sessions.get': ({ session_id }) => sessions.get(session_id),
    'sessions.list': async ({ environment_id }) => ({ sessions: await sessions.list(environment_id) }),
    'sessions.stop': ({ session_id }) => sessions.stop(session_id),
    'sessions.resume': ({ session_id }) => sessions.resume(session_id),
    'sessions.restart': ({ session_id }) => sessions.restart(session_id),
    'sessions.delete': async ({ session_id }) => {
      await sessions.remove(session_id);
      return done;
    },
    'terminals.open': ({ session_id, cols, rows, title }) =>
      sessions.openTerminal(session_id, { cols, rows, ...(title === undefined ? {} : { title }) }),
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
    'execs.start': ({ session_id, command, workdir }) =>
      sessions.startExec(session_id, { command, ...(workdir === undefined ? {} : { workdir }) }),
    'execs.get': ({ exec_id, wait_seconds }) => sessions.getExec(exec_id, wait_seconds ?? 0),
    'execs.kill': async ({ exec_id }) => {
      await sessions.killExec(exec_id);
      return done;
    },
    'stream.read': async ({ stream_id, from, max_bytes }) => {
      const { bytes, ...slice } = await streams.read(stream_id, from, max_bytes ?? defaultReadBytes);
      return { ...slice, data: bytes.toString('base64') };
    },
  };
};
