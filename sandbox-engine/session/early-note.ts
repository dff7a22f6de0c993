// What a person or an agent should know who comes before a session is whole: its repository or its start script is still under way. Pure.
import type { Session } from '../contract/model.ts';
import { isStillComing, workdirOf } from './workdir.ts';

const stepOf = (session: Session, name: string): Session['steps'][number] | undefined => session.steps.find((step) => step.name === name);

/** Whether its repository is brought in now. In a workspace that was kept it is there already, and is only looked for. */
export const isRepoComing = (session: Session): boolean =>
  isStillComing(session) && !(session.workspace_start?.kind === 'repository' && session.workspace_start.root === workdirOf(session));

/** Whether what was brought in, or the start script, failed: that is told in any case. */
export const hasFailedEarly = (session: Session): boolean =>
  session.start_script.status === 'failed' || stepOf(session, 'repository')?.status === 'failed';

/** A sentence for whoever comes too early; null when nothing is under way. */
export const earlyNote = (session: Session): string | null => {
  if (isRepoComing(session)) return 'The repository is still being brought in, so it may not be whole yet.';
  if (session.start_script.status !== 'running') return null;
  return `The start script is still running, so something may be missing yet. Its log: sandlot session start-script ${session.id}`;
};

/** A sentence about how that ended which somebody was told of. */
export const lateNote = (session: Session): string => {
  const { status, exit_code: code } = session.start_script;
  if (status === 'succeeded') return 'The start script is done.';
  if (status === 'failed') {
    const how = code === null ? 'The start script was cut off.' : `The start script failed with code ${code}.`;
    return `${how} Its log: sandlot session start-script ${session.id}; again: --retry`;
  }
  const brought = stepOf(session, 'repository');
  return brought?.status === 'failed' ? (brought.message ?? 'The repository was not brought in.') : 'The repository is there.';
};
