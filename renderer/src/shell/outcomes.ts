// What ended while one looked elsewhere, and where to see it: builds, setup runs, launches. Pure.
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';
import type { Session, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import type { State } from '../store/state.ts';
import { clockTime, counted } from '../ui/format.ts';
import { sessionTrouble } from '../ui/session-trouble.ts';

interface Ended {
  tone: 'good' | 'bad';
  text: string;
  /** Where it can be seen. */
  href: string;
}

/** Nobody has done it, and it may be unwelcome. */
interface Warning extends Omit<Ended, 'tone'> {
  tone: 'warn';
  /** The session that it is about. */
  subject: string;
  /** It is about to be, and the session can be kept from it. */
  keeps?: string;
}

export type Outcome = Ended | Warning;

const toneOf = (isGood: boolean): Ended['tone'] => (isGood ? 'good' : 'bad');

const nameOf = (state: State, id: string): string => {
  const name = state.environments[id]?.name;
  return name === undefined ? 'an environment' : `“${name}”`;
};

const ofBuild = (before: State, { payload: build }: Extract<AppEvent, { name: 'build.changed' }>): Outcome | null => {
  const wasRunning = ['queued', 'running'].includes(before.builds[build.id]?.status ?? '');
  if (!wasRunning || (build.status !== 'succeeded' && build.status !== 'failed')) return null;
  const isGood = build.status === 'succeeded';
  const what = `The build of ${nameOf(before, build.environment_id)}`;
  return {
    tone: toneOf(isGood),
    text: isGood ? `${what} is done.` : `${what} failed${build.failed_step ? ` at “${build.failed_step}”` : ''}.`,
    href: `/environments/${build.environment_id}/builds?build=${build.id}`,
  };
};

const blockedWords = ({ blocked_destinations: blocked = 0, observed }: SetupRun): string =>
  blocked === 0 || observed ? '' : `, but ${counted(blocked, 'destination')} ${blocked === 1 ? 'was' : 'were'} blocked`;

const ofSetup = (before: State, { payload: run }: Extract<AppEvent, { name: 'setup_run.changed' }>): Outcome | null => {
  // It has its outcome before it has cleaned up, and is told again after: the outcome is news once.
  const wasRunning = ['queued', 'provisioning', 'running'].includes(before.setupRuns[run.id]?.status ?? '') && run.kind !== 'session';
  if (!wasRunning || (run.status !== 'succeeded' && run.status !== 'failed')) return null;
  const isGood = run.status === 'succeeded';
  const what = `The setup of ${nameOf(before, run.environment_id)}`;
  return {
    tone: toneOf(isGood),
    text: isGood
      ? `${what} passed${blockedWords(run)}.`
      : `${what} failed${run.failed_line === null ? '' : ` at line ${run.failed_line}`}.`,
    href: `/environments/${run.environment_id}/setup?run=${run.id}&side=test`,
  };
};

/** What goes wrong in a session that goes on: its repository did not come, its start script failed. */
const ofTrouble = (before: Session | undefined, session: Session): Outcome | null => {
  if (before?.status !== 'running' || session.status !== 'running' || session.deleted_at) return null;
  const trouble = sessionTrouble(session);
  if (trouble === null || sessionTrouble(before) !== null) return null;
  return { tone: 'bad', text: `“${session.name}”: ${trouble.split('\n', 1)[0]}`, href: `/sessions/${session.id}` };
};

/** Nothing happens in it: it is about to be stopped for that, or was. Who stops it by hand knows. */
const ofIdle = (before: Session | undefined, session: Session): Outcome | null => {
  if (before?.status !== 'running' || session.deleted_at) return null;
  const href = `/sessions/${session.id}`;
  if (session.status === 'running' && session.idle_stop_at && !before.idle_stop_at) {
    const text = `Nothing has happened in “${session.name}” for a while: it is stopped at ${clockTime(session.idle_stop_at)}.`;
    return { tone: 'warn', text, href, subject: session.id, keeps: session.id };
  }
  const isStopped = session.status === 'stopped' && before.idle_stop_at && session.message;
  return isStopped ? { tone: 'warn', text: `“${session.name}”: ${session.message} Its workspace stays.`, href, subject: session.id } : null;
};

const ofSession = (before: State, { payload: session }: Extract<AppEvent, { name: 'session.changed' }>): Outcome | null => {
  const was = before.sessions[session.id];
  if (was?.status !== 'starting' || (session.status !== 'running' && session.status !== 'failed'))
    return ofIdle(was, session) ?? ofTrouble(was, session);
  const isGood = session.status === 'running';
  return { tone: toneOf(isGood), text: `“${session.name}” ${isGood ? 'runs.' : 'did not start.'}`, href: `/sessions/${session.id}` };
};

/** The session whose deletion can no longer be undone after this event: it was, or it is too late; else null. */
export const settledDeletion = (before: State, event: AppEvent): string | null => {
  if (event.name === 'session.removed') return event.payload.id;
  if (event.name !== 'session.changed' || event.payload.deleted_at) return null;
  return before.sessions[event.payload.id]?.deleted_at ? event.payload.id : null;
};

/** The session that was about to be stopped, and is not any more: something happens in it, or it is; else null. */
export const settledIdle = (before: State, event: AppEvent): string | null => {
  if (event.name !== 'session.changed' || event.payload.idle_stop_at) return null;
  return before.sessions[event.payload.id]?.idle_stop_at ? event.payload.id : null;
};

const anyOutcome = (before: State, event: AppEvent): Outcome | null => {
  if (event.name === 'build.changed') return ofBuild(before, event);
  if (event.name === 'setup_run.changed') return ofSetup(before, event);
  return event.name === 'session.changed' ? ofSession(before, event) : null;
};

/** What this event ended, unless the page where it can be seen is the one that is shown. */
export const outcomeOf = (before: State, event: AppEvent, place: string): Outcome | null => {
  const outcome = anyOutcome(before, event);
  return outcome !== null && place.startsWith(outcome.href.split('?', 1)[0] ?? '') ? null : outcome;
};
