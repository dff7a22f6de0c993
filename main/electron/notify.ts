// Which events deserve a notification of the system: what took long and ended while nobody was looking.
import type { AppEvent } from '../../sandbox-engine/contract/events.ts';
import type { Build, Session, SetupRun } from '../../sandbox-engine/contract/model.ts';

export interface Notice {
  title: string;
  body: string;
  /** The page that shows it. */
  route: string;
}

const buildTitles: Partial<Record<string, string>> = { succeeded: 'Build finished', failed: 'Build failed' };
const runTitles: Partial<Record<string, string>> = { succeeded: 'Setup succeeded', failed: 'Setup failed' };

const ofBuild = ({ status, environment_id, failed_step }: Build): Notice | null => {
  const title = buildTitles[status];
  const body = failed_step === null ? 'The image is ready.' : `It failed at "${failed_step}".`;
  return title === undefined ? null : { title, body, route: `/environments/${environment_id}` };
};

const ofRun = ({ status, environment_id, hint }: SetupRun): Notice | null => {
  const title = runTitles[status];
  return title === undefined ? null : { title, body: hint ?? 'See its log.', route: `/environments/${environment_id}` };
};

const ofSession = ({ status, id, name, message }: Session): Notice | null =>
  status === 'failed' ? { title: 'Session failed', body: message ?? name, route: `/sessions/${id}` } : null;

/** The notification that an event is worth, or null. */
export const noticeOf = (event: AppEvent): Notice | null => {
  if (event.name === 'build.changed') return ofBuild(event.payload);
  if (event.name === 'setup_run.changed') return ofRun(event.payload);
  return event.name === 'session.changed' ? ofSession(event.payload) : null;
};
