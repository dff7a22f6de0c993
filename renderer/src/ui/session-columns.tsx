// The columns of the table of sessions: on the sessions page, and on an environment's.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { Ago } from './Ago.tsx';
import { clockTime, formatBytes } from './format.ts';
import { networkOf } from './network-words.ts';
import type { RowFocus, RowListColumn, RowPart } from './RowList.tsx';
import { SessionStatus } from './SessionStatus.tsx';
import { sessionTrouble } from './session-trouble.ts';

const images = { prepared: 'Prepared by setup', active: 'Pinned image', default: 'Default base' };

interface NameProps {
  session: Session;
  focus: RowFocus;
  part: RowPart;
  onUndelete: (session: Session) => void;
}

const Name = ({ session, focus, part, onUndelete }: NameProps) => {
  const trouble = sessionTrouble(session);
  return (
    <>
      <Link href={`/sessions/${session.id}`} className="row-name clip" {...focus}>
        {session.name}
      </Link>
      {session.deleted_at ? (
        <div className="clip">
          <button
            type="button"
            className="text-button link"
            style={{ padding: 0 }}
            {...part}
            aria-label={`Undo the deletion of ${session.name}`}
            onClick={() => onUndelete(session)}
          >
            Undo
          </button>{' '}
          <span className="faint">until {clockTime(session.delete_at ?? '')}</span>
        </div>
      ) : (
        trouble !== null && <div className="faint clip">{trouble}</div>
      )}
    </>
  );
};

const environment: RowListColumn<Session> = {
  name: 'Environment',
  cell: ({ environment_id: id, environment_name: name }, _focus, part) => (
    <Link href={`/environments/${id}`} className="dim" {...part}>
      {name}
    </Link>
  ),
};

/** What a session uses of the machine. */
export interface SessionUse {
  cpus: number | null;
  memory_bytes: number | null;
}

const useText = (use: SessionUse | undefined): string =>
  use === undefined || use.memory_bytes === null ? '' : `${use.cpus?.toFixed(2) ?? '…'} · ${formatBytes(use.memory_bytes)}`;

interface ColumnsOptions {
  showsEnvironment: boolean;
  /** Of those that run. */
  usage: ReadonlyMap<string, SessionUse>;
  /** Runtimes that do not answer. */
  away: ReadonlySet<string>;
  onUndelete: (session: Session) => void;
  /** What can be done to one from its row. */
  drawDeeds: (session: Session, part: RowPart) => ReactNode;
}

/** The columns. */
export const sessionColumns = ({ showsEnvironment, usage, away, onUndelete, drawDeeds }: ColumnsOptions): RowListColumn<Session>[] => [
  { name: 'Session', cell: (session, focus, part) => <Name session={session} focus={focus} part={part} onUndelete={onUndelete} /> },
  ...(showsEnvironment ? [environment] : []),
  { name: 'Status', cell: (session) => <SessionStatus session={session} away={away} /> },
  {
    name: 'CPU · memory',
    isNumber: true,
    cell: ({ id }) => (
      <span className="dim num" title="Processors and memory, every ten seconds">
        {useText(usage.get(id))}
      </span>
    ),
  },
  {
    name: 'Image',
    isExtra: true,
    cell: ({ fallback, image_source: source }) => (
      <span className={fallback ? 'tone-warn' : 'dim'} title={fallback ?? undefined}>
        {images[source]}
      </span>
    ),
  },
  {
    name: 'Network',
    cell: (session) => (
      <span className="dim" title={networkOf(session).meaning}>
        {networkOf(session).word}
      </span>
    ),
  },
  { name: 'Runtime', isExtra: true, cell: ({ runtime }) => <span className="dim">{runtime}</span> },
  {
    name: 'Started',
    cell: ({ started_at: startedAt, created_at: createdAt }) => (
      <span className="dim">
        <Ago at={startedAt ?? createdAt} />
      </span>
    ),
  },
  { name: 'Actions', isNameHidden: true, isNumber: true, isWhole: true, cell: (session, _focus, part) => drawDeeds(session, part) },
];
