import { Link } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { Ago } from './Ago.tsx';
import { clockTime } from './format.ts';
import { networkWords } from './network-words.ts';
import { SessionStatus } from './Verdict.tsx';

const images = { prepared: 'Prepared image', active: 'Active image', default: 'Default base' };

/** Sessions as a table, on the sessions page and on an environment's. */
export const SessionTable = ({ sessions, showsEnvironment = false }: { sessions: readonly Session[]; showsEnvironment?: boolean }) => (
  <table className="grid-table">
    <thead>
      <tr>
        <th style={{ paddingLeft: 24 }}>Session</th>
        {showsEnvironment && <th>Environment</th>}
        <th>Status</th>
        <th>Image</th>
        <th>Network</th>
        <th>Runtime</th>
        <th>Started</th>
      </tr>
    </thead>
    <tbody>
      {sessions.map((session) => (
        <tr key={session.id}>
          <td style={{ paddingLeft: 24, maxWidth: 320 }}>
            <Link href={`/sessions/${session.id}`} style={{ fontWeight: 550, display: 'block' }} className="clip">
              {session.name}
            </Link>
            {session.deleted_at ? (
              <div className="tone-bad clip">Deleted; undo is possible until {clockTime(session.delete_at ?? '')}</div>
            ) : (
              session.message && <div className="faint clip">{session.message}</div>
            )}
          </td>
          {showsEnvironment && (
            <td className="dim" style={{ maxWidth: 240 }}>
              <Link href={`/environments/${session.environment_id}`} className="clip" style={{ display: 'block' }}>
                {session.environment_name}
              </Link>
            </td>
          )}
          <td>
            <SessionStatus status={session.status} />
          </td>
          <td className={session.fallback ? 'tone-warn' : 'dim'} title={session.fallback ?? undefined}>
            {images[session.image_source]}
          </td>
          <td className="dim">{networkWords[session.network]}</td>
          <td className="dim">{session.runtime}</td>
          <td className="dim">
            <Ago at={session.started_at ?? session.created_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
