// The calls about what goes on in a session: ports, use of the machine, tape, editors. What was typed is in promote-calls.ts.
import { access } from 'node:fs/promises';
import { SandlotError } from '../base/errors.ts';
import type { CallArguments } from '../contract/calls.ts';
import type { Session, Tape, TapeEvent, Terminal } from '../contract/model.ts';
import type { Registry } from '../registry/registry.ts';
import { castHeader, castLines, marksFor } from '../session/asciicast.ts';
import { sshConfig, sshHost, vscodeNote, vscodeUrl } from '../session/editor-links.ts';
import { runInside } from '../session/run-inside.ts';
import { runningContainer } from '../session/running-container.ts';
import { readJournal } from '../session/session-journal.ts';
import { readSshKey } from '../session/ssh-key.ts';
import { serverPath } from '../session/ssh-program.ts';
import { describeTape, readFrames, readSizes } from '../session/tape-reader.ts';
import type { Activity, ActivityRooms } from './activity.ts';
import { attemptEvent } from './attempt-event.ts';
import { createPromoteCalls } from './promote-calls.ts';

const done = { ok: true } as const;
const mostAttempts = 500;

const journalOf = async ({ ground: { streams } }: ActivityRooms, { tape_stream_id: id }: Session): Promise<TapeEvent[]> => {
  if (id === undefined) return [];
  const slice = await streams.read(id, 0, 1_048_576).catch(() => null);
  return slice === null ? [] : readJournal(slice.bytes.toString('utf8'));
};

/** What it tried to reach, and what it was granted. */
const networkEvents = async (registry: Registry, session: Session): Promise<TapeEvent[]> => {
  const [{ attempts }, grants] = await Promise.all([
    registry.egressLog.list({ sandboxId: session.id, limit: mostAttempts }),
    registry.egressGrants.list({ sessionId: session.id }),
  ]);
  return [
    ...attempts.map(attemptEvent),
    ...grants.map((grant): TapeEvent => ({ at: grant.granted_at, kind: 'grant', tone: 'plain', label: `Allowed ${grant.destination}` })),
  ];
};

const tapeOf = async (rooms: ActivityRooms, registry: Registry, session: Session): Promise<Tape> => {
  await rooms.settled();
  const all = await registry.sessions.listTerminals(session.id);
  const described = await Promise.all(all.map((terminal) => describeTape(rooms.ground.streams, terminal)));
  const terminals = described.filter((one) => one !== null);
  const events = [...(await journalOf(rooms, session)), ...(await networkEvents(registry, session))].sort((a, b) => (a.at < b.at ? -1 : 1));
  const times = [session.created_at, ...terminals.flatMap(({ from, to }) => [from, to]), ...events.map(({ at }) => at)].sort();
  return {
    ...{ session_id: session.id, session_name: session.name, terminals, events },
    ...{ from: times[0] ?? session.created_at, to: times.at(-1) ?? session.created_at },
  };
};

const terminalOf = async (registry: Registry, sessionId: string, terminalId: string): Promise<Terminal> => {
  const terminal = await registry.sessions.findTerminal(terminalId);
  if (terminal?.session_id === sessionId) return terminal;
  throw new SandlotError('not_found', `There is no terminal "${terminalId}" in this session.`);
};

/** A part of a terminal's tape as text. The cursor is that of the frames, and the time up to which marks are written. */
const castOf = async (rooms: ActivityRooms, registry: Registry, { session_id, terminal_id, cursor }: CallArguments<'tape.cast'>) => {
  const terminal = await terminalOf(registry, session_id, terminal_id);
  const tape = await tapeOf(rooms, registry, await rooms.sessions.get(session_id));
  const described = tape.terminals.find((one) => one.terminal_id === terminal_id);
  if (described === undefined) throw new SandlotError('not_found', `Nothing is kept of terminal "${terminal.title}".`);
  const [at, afterMs = '-1'] = (cursor ?? '').split('-after-');
  const { frames, nextCursor } = await readFrames(rooms.ground.streams, terminal, at);
  const untilMs = nextCursor === null ? Number.POSITIVE_INFINITY : (frames.at(-1)?.at_ms ?? Number(afterMs));
  const marks = marksFor(tape.events, described).filter(({ at_ms }) => at_ms > Number(afterMs) && at_ms <= untilMs);
  const lines = [...(cursor === undefined ? [castHeader(tape, described)] : []), ...castLines(frames, marks)];
  return { text: lines.map((line) => `${line}\n`).join(''), next_cursor: nextCursor === null ? null : `${nextCursor}-after-${untilMs}` };
};

const lookForServer = async ({ ground }: ActivityRooms, session: Session, containerId: string): Promise<string | null> => {
  const command = ['/bin/sh', '-c', `[ -x ${serverPath} ] && command -v ssh-keygen >/dev/null && echo yes`];
  const found = await runInside(ground.runtimeOf(session.runtime), containerId, { command, user: 'sandbox', workdir: '/' }, 10_000);
  if (found.output.startsWith('yes')) return null;
  return 'The image has no SSH server. Add "openssh-server" to packages.apt of the recipe, build and pin it, then launch a session.';
};

const usualFolder = async (folder: string, env: NodeJS.ProcessEnv): Promise<boolean> =>
  env['SANDLOT_HOME'] === undefined &&
  (await access(folder).then(
    () => true,
    () => false,
  ));

const editorsOf = async (rooms: ActivityRooms, session: Session) => {
  const containerId = runningContainer(session, 'an editor needs a running one');
  const { ground, ssh } = rooms;
  const runtime = ground.runtimeOf(session.runtime);
  const [message, key, socketPath] = await Promise.all([
    lookForServer(rooms, session, containerId),
    readSshKey(ground.dataFolder),
    ssh.open(session.id),
  ]);
  const dataFolder = (await usualFolder(ground.dataFolder, ground.env)) ? null : ground.dataFolder;
  return {
    vscode_url: vscodeUrl(session.id),
    vscode_note: vscodeNote(runtime.kind, runtime.address),
    ssh: {
      ...{ is_ready: message === null, message, host: sshHost(session.id), socket_path: socketPath },
      config: sshConfig({ sessionId: session.id, keyPath: key.path, dataFolder }),
    },
  };
};

/** Makes the handlers. */
export const createActivityCalls = (rooms: ActivityRooms, registry: Registry): Activity['calls'] => {
  const { sessions, ports, meter } = rooms;
  return {
    ...createPromoteCalls(rooms),
    'ports.list': async ({ session_id }) => await ports.list(await sessions.get(session_id)),
    'ports.watch': async ({ session_id }) => ports.watch(await sessions.get(session_id)),
    'ports.forward': async ({ session_id, port, local_port }) => await ports.forward(await sessions.get(session_id), port, local_port),
    'ports.stop': async ({ session_id, port }) => {
      await ports.stop(await sessions.get(session_id), port);
      return done;
    },
    'ports.url': async ({ session_id, port }) => ({ url: await ports.url(await sessions.get(session_id), port) }),
    'usage.watch': async ({ session_ids, calm = false }) => ({
      sessions: await meter.watch(await Promise.all([...new Set(session_ids)].map((id) => sessions.get(id))), calm),
    }),
    'tape.get': async ({ session_id }) => await tapeOf(rooms, registry, await sessions.get(session_id)),
    'tape.frames': async ({ session_id, terminal_id, cursor }) => {
      const terminal = await terminalOf(registry, session_id, terminal_id);
      const { frames, nextCursor } = await readFrames(rooms.ground.streams, terminal, cursor);
      return { frames, next_cursor: nextCursor };
    },
    'tape.sizes': async ({ session_id, terminal_id }) => {
      const terminal = await terminalOf(registry, session_id, terminal_id);
      await rooms.settled();
      return await readSizes(rooms.ground.streams, terminal);
    },
    'tape.cast': async (asked) => await castOf(rooms, registry, asked),
    'editors.get': async ({ session_id }) => await editorsOf(rooms, await sessions.get(session_id)),
  };
};
