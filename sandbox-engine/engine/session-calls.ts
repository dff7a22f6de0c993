// The calls about sessions, their terminals and commands, and every stream.
// Source: SPEC.md 7.
import type { CallArguments } from '../contract/calls.ts';
import type { Session } from '../contract/model.ts';
import type { PrepareDefaultBase } from './default-base.ts';
import type { EnvironmentViews } from './environment-views.ts';
import { assertFoldersAgreed } from './host-folders.ts';
import { findEnvironment, type HandlersOf, type House } from './house.ts';
import { needsRefresh, refreshSetup } from './refresh-setup.ts';
import { type BootImage, sessionImage } from './resolve-image.ts';
import { resolveResources } from './resolve-resources.ts';

const defaultReadBytes = 256 * 1024;

const done = { ok: true } as const;

// Prepared, but by a setup run that is still to come.
const refreshedImage: BootImage = { imageId: null, source: 'prepared', fallback: null };

const launch = async (
  house: House,
  views: EnvironmentViews,
  defaultBase: PrepareDefaultBase,
  { environment_id, name, secrets = {}, secret_files = {}, observe = false }: CallArguments<'sessions.launch'>,
): Promise<Session> => {
  const environment = await findEnvironment(house, environment_id);
  await assertFoldersAgreed(house, environment);
  const runtimeId = environment.runtime;
  const own = { secrets, files: secret_files };
  const given = await house.secrets.namesFor(environment, own);
  const view = await views.of(environment);
  const image = needsRefresh(view) ? refreshedImage : sessionImage(view);
  const compute = resolveResources(environment.resources, await house.runtimes.info(runtimeId));
  return await house.sessions.launch({
    environment,
    runtimeId,
    imageSource: image.source,
    fallback: image.fallback,
    image:
      image.imageId ??
      ((signal, onLine) =>
        image.source === 'prepared' ? refreshSetup(house, environment, onLine) : defaultBase(runtimeId, signal, onLine)),
    envVars: environment.env_vars,
    areFoldersAgreed: true,
    ownFolder: house.dataFolder,
    ...(given.names.length + given.files.length === 0 ? {} : { secrets: { ...given, own: { ...secrets, ...secret_files } } }),
    ...compute,
    observe,
    ...(name === undefined ? {} : { name }),
  });
};

/** Makes the handlers of `sessions.*`. */
export const createSessionCalls = (house: House, views: EnvironmentViews, defaultBase: PrepareDefaultBase): HandlersOf<'sessions'> => {
  const { sessions } = house;
  return {
    'sessions.launch': (asked) => launch(house, views, defaultBase, asked),
    'sessions.get': ({ session_id }) => sessions.get(session_id),
    'sessions.list': async ({ environment_id }) => ({ sessions: await sessions.list(environment_id) }),
    'sessions.stop': ({ session_id }) => sessions.stop(session_id),
    'sessions.resume': ({ session_id }) => sessions.resume(session_id),
    'sessions.end_observation': ({ session_id }) => sessions.endObservation(session_id),
    'sessions.restart': ({ session_id }) => sessions.restart(session_id),
    'sessions.delete': async ({ session_id }) => {
      await sessions.remove(session_id);
      return done;
    },
  };
};

/** Makes the handlers of `terminals.*`, `execs.*`, `stream.*`. */
export const createTerminalCalls = ({ registry, sessions, streams }: House): HandlersOf<'terminals' | 'execs' | 'stream'> => ({
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
});
