// Which events deserve a notification of the system: what took long and ended, or is about to end, while nobody was looking.
import type { AppEvent } from '../../sandbox-engine/contract/events.ts';
import type { Build, Session, SetupRun } from '../../sandbox-engine/contract/model.ts';

export interface Notice {
  title: string;
  body: string;
  /** The page that shows it. */
  route: string;
}

type NameOf = (environmentId: string) => string;

const buildTitles: Partial<Record<string, string>> = { succeeded: 'Build finished', failed: 'Build failed' };
const runTitles: Partial<Record<string, string>> = { succeeded: 'Setup succeeded', failed: 'Setup failed' };

const ofBuild = ({ status, environment_id, failed_step }: Build, nameOf: NameOf): Notice | null => {
  const title = buildTitles[status];
  const body = failed_step === null ? 'The image is ready.' : `It failed at "${failed_step}".`;
  return title === undefined
    ? null
    : { title: `${title}: ${nameOf(environment_id)}`, body, route: `/environments/${environment_id}/builds` };
};

const bodyOfRun = ({ status, hint, failed_line, failed_command }: SetupRun): string => {
  if (status === 'succeeded') return 'Sessions can start from it.';
  if (hint !== null) return hint;
  return failed_line === null ? 'See its log.' : `Line ${failed_line}: ${failed_command ?? ''}`.slice(0, 200);
};

const ofRun = (run: SetupRun, nameOf: NameOf): Notice | null => {
  const title = runTitles[run.status];
  const route = `/environments/${run.environment_id}/setup`;
  return title === undefined ? null : { title: `${title}: ${nameOf(run.environment_id)}`, body: bodyOfRun(run), route };
};

/** `wasWarned`: it was told that it stops soon. Who stops it by hand knows that, and it has no message then. */
const ofSession = ({ status, id, name, message, idle_stop_at }: Session, wasWarned: boolean): Notice | null => {
  const route = `/sessions/${id}`;
  if (status === 'failed') return { title: `Session failed: ${name}`, body: message ?? 'See how far it came.', route };
  if (status === 'stopped' && wasWarned && message !== null)
    return { title: `Session stopped: ${name}`, body: `${message} Resume it to go on.`, route };
  if (status !== 'running' || !idle_stop_at) return null;
  return { title: `Session stops soon: ${name}`, body: 'Nothing has happened in it for a while. Open it to keep it running.', route };
};

/** The notification that an event is worth, or null. `nameOf` answers the name of an environment. */
const noticeOf = (event: AppEvent, nameOf: NameOf, told: ReadonlySet<string>): Notice | null => {
  if (event.name === 'build.changed') return ofBuild(event.payload, nameOf);
  if (event.name === 'setup_run.changed') return ofRun(event.payload, nameOf);
  if (event.name !== 'session.changed') return null;
  return ofSession(
    event.payload,
    [...told].some((one) => one.startsWith(`${event.payload.id} running `)),
  );
};

/** What makes a state another one than that which was told already. */
const stateOf = (event: AppEvent): string | null => {
  if (event.name === 'build.changed' || event.name === 'setup_run.changed') return `${event.payload.id} ${event.payload.status}`;
  if (event.name !== 'session.changed') return null;
  const { id, status, idle_stop_at, stopped_at } = event.payload;
  return `${id} ${status} ${idle_stop_at ?? stopped_at ?? ''}`;
};

const remembered = 500;

export interface NotifierOptions {
  nameOf: NameOf;
  /** The person looks at the window, which shows it itself. */
  isLooking: () => boolean;
  show: (notice: Notice) => void;
}

/** Hears events and shows what is worth it once: a noun is told again whenever anything of it changes. */
export const createNotifier = ({ nameOf, isLooking, show }: NotifierOptions): ((event: AppEvent) => void) => {
  const told = new Set<string>();
  return (event) => {
    const notice = noticeOf(event, nameOf, told);
    const state = stateOf(event);
    if (notice === null || state === null || told.has(state)) return;
    told.add(state);
    const [oldest] = told;
    if (told.size > remembered && oldest !== undefined) told.delete(oldest);
    if (!isLooking()) show(notice);
  };
};
