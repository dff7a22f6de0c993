// How a session is, in the same words and colours on every page.
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { Status, type Tone } from './Status.tsx';

const tones: Record<Session['status'], Tone> = { starting: 'run', running: 'ok', stopped: 'plain', failed: 'bad', ended: 'plain' };

const unseen = 'Its runtime does not answer. It ran when that was last heard of; what has become of it shows once the runtime is back.';

interface SessionStatusProps {
  session: Session;
  /** Runtimes that do not answer. */
  away: ReadonlySet<string>;
  /** Its deletion was asked for here and is under way. */
  isLeaving?: boolean;
}

/** One that is deleted is gone in a while, whatever else it is; of one whose runtime does not answer nobody knows how it is. */
export const SessionStatus = ({ session, away, isLeaving = false }: SessionStatusProps) => {
  const { status } = session;
  if (session.deleted_at) return <Status tone="bad" label="Deleted" isHollow />;
  if (isLeaving) return <Status tone="run" label="Deleting…" />;
  if (away.has(session.runtime) && (status === 'starting' || status === 'running'))
    return (
      <span title={unseen}>
        <Status tone="warn" label="Out of reach" isHollow />
      </span>
    );
  return (
    <Status
      tone={tones[status]}
      label={status.charAt(0).toUpperCase() + status.slice(1)}
      isHollow={status === 'stopped' || status === 'ended'}
    />
  );
};
