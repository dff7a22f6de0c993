// Puts together what the host knows of what goes on in sessions: their ports, their use of the machine, their tapes, what was typed, the ways
// of editors. It hears of everything by events and is in nobody's way.
import type { AppEvent } from '../contract/events.ts';
import type { Session, Terminal } from '../contract/model.ts';
import { relayUser } from '../gate/addresses.ts';
import { createPorts, type Ports } from '../session/ports.ts';
import { createJournal, type Journal, linesOfChange, linesOfTerminal } from '../session/session-journal.ts';
import type { Sessions } from '../session/sessions.ts';
import { createSshDoor, type SshDoor } from '../session/ssh-door.ts';
import { readSshKey } from '../session/ssh-key.ts';
import { createTapeRecorder, type TapeRecorder } from '../session/tape-recorder.ts';
import { createUsageMeter, type UsageMeter } from '../session/usage-meter.ts';
import { createActivityCalls } from './activity-calls.ts';
import type { EgressDesk } from './egress-desk.ts';
import type { Ground, HandlersOf } from './house.ts';

export interface ActivityRooms {
  ground: Ground;
  sessions: Sessions;
  ports: Ports;
  meter: UsageMeter;
  recorder: TapeRecorder;
  ssh: SshDoor;
  /** Resolves when what happened in sessions until now can be read. */
  settled: () => Promise<void>;
}

export interface Activity {
  calls: HandlersOf<'ports' | 'usage' | 'tape' | 'promote' | 'editors'>;
  /** Listens from now on; what is there already is taken up in the background. */
  begin: () => void;
  /** Something passes through this host. */
  isNeeded: () => boolean;
  close: () => Promise<void>;
}

interface ActivityOptions {
  sessions: Sessions;
  egress: EgressDesk;
  runFolder: string;
}

/** Remembers how each noun was before, so that a change can be told. */
const createMemory = () => {
  const sessions = new Map<string, Session>();
  const terminals = new Map<string, Terminal>();
  return {
    session: (now: Session): Session | null => {
      const before = sessions.get(now.id) ?? null;
      sessions.set(now.id, now);
      return before;
    },
    terminal: (now: Terminal): Terminal | null => {
      const before = terminals.get(now.id) ?? null;
      if (now.status === 'running') terminals.set(now.id, now);
      else terminals.delete(now.id);
      return before;
    },
    forget: (id: string): void => {
      sessions.delete(id);
      for (const [terminal, { session_id }] of terminals) if (session_id === id) terminals.delete(terminal);
    },
  };
};

type Memory = ReturnType<typeof createMemory>;

/** What was there before this host began to listen is no news; its forwards open again. */
const takeUp = async ({ registry, streams }: Ground, rooms: ActivityRooms, memory: Memory): Promise<void> => {
  for (const session of await rooms.sessions.list()) {
    memory.session(session);
    rooms.ports.settle(session);
  }
  for (const terminal of await registry.sessions.listRunningTerminals()) {
    const stream = await streams.read(terminal.stream_id, Number.MAX_SAFE_INTEGER, 1).catch(() => null);
    if (stream !== null && memory.terminal(terminal) === null) rooms.recorder.begin(terminal, stream.size);
  }
};

const removed = ({ ports, meter, recorder, ssh }: ActivityRooms, journal: Journal, memory: Memory, id: string): void => {
  for (const one of [ports, meter, ssh]) void one.removed(id);
  for (const one of [recorder, journal, memory]) one.forget(id);
};

const sessionChanged = ({ ports, meter, ground }: ActivityRooms, journal: Journal, before: Session | null, now: Session): void => {
  journal.add(now.id, ground.clock.iso(), linesOfChange(before, now));
  meter.settle(now);
  if (before?.status !== now.status || before.container_id !== now.container_id) ports.settle(now);
};

const hear =
  (rooms: ActivityRooms, journal: Journal, memory: Memory) =>
  (event: AppEvent): void => {
    const { recorder, ground } = rooms;
    if (event.name === 'stream.grew') recorder.grew(event.payload.stream_id, event.payload.size);
    else if (event.name === 'session.changed') sessionChanged(rooms, journal, memory.session(event.payload), event.payload);
    else if (event.name === 'session.removed') removed(rooms, journal, memory, event.payload.id);
    else if (event.name === 'terminal.changed') {
      journal.add(event.payload.session_id, ground.clock.iso(), linesOfTerminal(memory.terminal(event.payload), event.payload));
      recorder.terminal(event.payload);
    }
  };

/** Opens the desk; it hears nothing before `begin`, which is to be called when sessions have been put right. */
export const openActivity = (ground: Ground, { sessions, egress, runFolder }: ActivityOptions): Activity => {
  const { runtimeOf, clock, bus, streams, newId, secrets, registry } = ground;
  const recorder = createTapeRecorder(streams, clock);
  const journal = createJournal({
    streams,
    streamOf: async (id) => {
      const session = await sessions.get(id).catch(() => null);
      if (session === null) return null;
      return session.tape_stream_id ?? (await sessions.keep(id, { tape_stream_id: newId('str') })).tape_stream_id ?? null;
    },
  });
  const rooms: ActivityRooms = {
    ...{ ground, sessions, recorder },
    ports: createPorts({
      ...{ runtimeOf, sessionOf: sessions.get, redactText: secrets.redactText, hiddenUser: relayUser },
      keep: async (id, forwards) => void (await sessions.keep(id, { forwards })),
      touch: (id) => sessions.life.touch(id),
      tell: (ports) => bus.emit('ports.changed', ports),
    }),
    meter: createUsageMeter({
      ...{ runtimeOf, clock, trafficOf: egress.policies.traffic },
      tell: (samples) => bus.emit('usage.measured', { samples }),
      // A session that went meanwhile needs no number.
      measured: (id, bytes) => void sessions.measured(id, bytes).catch(() => undefined),
    }),
    ssh: createSshDoor({
      ...{ runFolder, runtimeOf, key: () => readSshKey(ground.dataFolder), sessionOf: sessions.get },
      touch: (id) => sessions.life.touch(id),
      secretsOf: async (session) => (session.secrets.length === 0 ? [] : (await secrets.variablesOf(session)).env),
    }),
    settled: async () => void (await Promise.all([recorder.settled(), journal.settled()])),
  };
  const memory = createMemory();
  let unsubscribe: () => void = () => undefined;
  return {
    calls: createActivityCalls(rooms, registry),
    begin: () => {
      unsubscribe = bus.subscribe(hear(rooms, journal, memory));
      takeUp(ground, rooms, memory).catch(() => undefined);
    },
    isNeeded: rooms.ports.isAnyForwarded,
    close: async () => {
      unsubscribe();
      rooms.meter.close();
      await Promise.all([rooms.ports.close(), rooms.ssh.close(), rooms.settled()]);
    },
  };
};
