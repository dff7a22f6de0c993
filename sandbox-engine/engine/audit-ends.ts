// What the activity log says of what ends by itself, and of pins: which row of which noun is a line, and with which words.
import type { EventBus } from '../base/event-bus.ts';
import type { AppEvent } from '../contract/events.ts';
import type { AuditEntry, Build, Pin, Session, SetupRun } from '../contract/model.ts';

/** What is written down, before it has its place and time. */
export type Line = Omit<AuditEntry, 'seq' | 'at' | 'about'>;

const imageWords = (imageId: string | null): string =>
  imageId === null ? 'no image' : `image ${imageId.replace(/^sha256:/, '').slice(0, 12)}`;

const endOfBuild = ({ status, environment_id, image_id, error }: Build, environment: string): Line | null => {
  const place = { environment_id, session_id: null };
  if (status === 'succeeded')
    return { action: 'build.succeeded', kind: 'ok', text: `Built ${environment}: ${imageWords(image_id)}`, ...place };
  if (status === 'failed')
    return {
      action: 'build.failed',
      kind: 'failed',
      text: `The build of ${environment} failed: ${error?.message ?? 'no reason was given'}`,
      ...place,
    };
  return null;
};

const endOfRun = ({ status, environment_id, hint, failed_line, observed }: SetupRun, environment: string): Line | null => {
  const place = { environment_id, session_id: null };
  const what = observed ? `An observed setup run of ${environment}` : `Setup of ${environment}`;
  if (status === 'succeeded')
    return {
      action: 'setup_run.succeeded',
      kind: 'ok',
      text: observed ? `${what} ended; it proves nothing` : `${what} passed`,
      ...place,
    };
  if (status !== 'failed') return null;
  const at = failed_line === null ? '' : ` at line ${failed_line}`;
  return {
    action: 'setup_run.failed',
    kind: 'failed',
    text: `${what} failed${at}${hint === null ? '' : `: ${hint}`}`,
    ...place,
  };
};

const endOfSession = ({ status, id, environment_id, name, message, deleted_at, deleted_by_itself }: Session): Line | null => {
  const place = { environment_id, session_id: id };
  if (deleted_at) {
    if (deleted_by_itself !== true) return null;
    const text = `Session "${name}" was kept for as long as its environment says and is deleted; for a day that can be undone`;
    return { action: 'session.deleted', kind: 'ok', text, ...place };
  }
  if (status === 'failed') {
    return { action: 'session.failed', kind: 'failed', text: `Session "${name}" failed: ${message ?? 'no reason was given'}`, ...place };
  }
  if (status === 'stopped' && message !== null) {
    return { action: 'session.stopped', kind: 'ok', text: `Session "${name}" stopped: ${message}`, ...place };
  }
  return null;
};

/** A pin is told by its ledger, however it came there: asked for by itself, or together with a build. */
const lineOfPin = ({ action, environment_id, image_id, reason }: Pin, environment: string): Line => {
  const place = { environment_id, session_id: null };
  const image = imageWords(image_id);
  if (action === 'pinned') return { action: 'pins.create', kind: 'asked', text: `Pinned ${image} in ${environment}`, ...place };
  if (action === 'rejected')
    return {
      action: 'pins.create',
      kind: 'failed',
      text: `Did not pin ${image} in ${environment}: ${reason ?? 'no reason was given'}`,
      ...place,
    };
  const text = image_id === null ? `Unpinned ${environment}, which had no pin` : `Unpinned ${image} in ${environment}`;
  return { action: 'pins.remove', kind: 'asked', text, ...place };
};

type RowEvent = Extract<AppEvent, { name: 'build.changed' | 'setup_run.changed' | 'session.changed' }>;

const lineOf = (event: RowEvent, environment: string): Line | null => {
  if (event.name === 'build.changed') return endOfBuild(event.payload, environment);
  return event.name === 'setup_run.changed' ? endOfRun(event.payload, environment) : endOfSession(event.payload);
};

const isRow = (event: AppEvent): event is RowEvent =>
  event.name === 'build.changed' || event.name === 'setup_run.changed' || event.name === 'session.changed';

const deleted = 'deleted';

/** What one of them is as far as its end goes. */
const stateOf = (row: Build | SetupRun | Session): string => ('deleted_at' in row && row.deleted_at ? deleted : row.status);

const endedAt = (row: Build | SetupRun | Session): string | null =>
  'finished_at' in row ? row.finished_at : (row.deleted_at ?? row.ended_at ?? row.stopped_at);

interface Ends {
  bus: EventBus;
  /** When this host began. */
  begun: string;
  add: (line: Line) => Promise<void>;
  /** The name of an environment; empty when it is gone. */
  nameOf: (environmentId: string) => Promise<string>;
}

/** Tells each end once, and each line of the ledger of pins. */
export const followEnds = ({ bus, begun, add, nameOf }: Ends): void => {
  const tell = async (environmentId: string, line: (environment: string) => Line | null): Promise<void> => {
    const name = await nameOf(environmentId).catch(() => '');
    const told = line(name === '' ? 'a deleted environment' : `environment "${name}"`);
    if (told !== null) await add(told);
  };
  // Of a noun whose end is told, its state; a row that changes again without a change of state is no second end.
  const states = new Map<string, string>();
  bus.subscribe((event) => {
    if (event.name === 'pin.changed') void tell(event.payload.environment_id, (environment) => lineOfPin(event.payload, environment));
    if (!isRow(event)) return;
    const { id } = event.payload;
    const [before, state] = [states.get(id), stateOf(event.payload)];
    if (before === state) return;
    states.set(id, state);
    // What is brought back does not end anew.
    if (before === deleted) return;
    // What had ended before this host began was written down by the one before.
    const isOld = (endedAt(event.payload) ?? begun) < begun;
    if (!isOld) void tell(event.payload.environment_id, (environment) => lineOf(event, environment));
  });
};
