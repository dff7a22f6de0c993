// What was granted beside the policy and still holds; each can be taken back.
import './grants.css';
import type { EgressGrant, Session } from '../../../sandbox-engine/contract/model.ts';
import { useStored } from '../store/store.ts';
import { Ago } from '../ui/Ago.tsx';
import { momentText } from '../ui/format.ts';
import { useNow } from '../ui/use-now.ts';
import { minutesLeft, termText } from './egress-words.ts';
import { TakeBack } from './TakeBack.tsx';

type SessionOf = (grant: EgressGrant) => Session | undefined;

/** What was granted under one environment is nothing to a session that has another by now. */
const hasMoved = (grant: EgressGrant, session: Session | undefined): boolean =>
  session !== undefined && session.environment_id !== grant.environment_id;

const isOver = ({ revoked_at, until }: EgressGrant, nowMs: number): boolean =>
  revoked_at !== null || (until !== null && minutesLeft(until, nowMs) === null);

/** Whether it still lets something pass; one for a session goes with it. */
const isHolding = (grant: EgressGrant, nowMs: number, sessionOf: SessionOf): boolean => {
  if (isOver(grant, nowMs)) return false;
  if (grant.session_id === null) return grant.for !== 'always';
  const session = sessionOf(grant);
  if (session === undefined || session.deleted_at || hasMoved(grant, session)) return false;
  return session.status !== 'ended' && session.status !== 'failed';
};

const GrantChip = ({ grant, nowMs, session }: { grant: EgressGrant; nowMs: number; session: string | undefined }) => (
  <li className="egress-grant">
    <span className="mono">{grant.destination}</span>
    <span className="dim num">{termText(grant, nowMs)}</span>
    {session !== undefined && <span className="dim">{session}</span>}
    <span className="faint">
      by {grant.granted_by}, <Ago at={grant.granted_at} />
    </span>
    <TakeBack grant={grant} />
  </li>
);

const endText = (grant: EgressGrant, nowMs: number, session: Session | undefined): string => {
  const { revoked_at, until, for: term } = grant;
  if (revoked_at !== null) return `taken back ${momentText(revoked_at)}`;
  if (term !== 'always' && !isOver(grant, nowMs) && hasMoved(grant, session)) return 'ended when its session got another environment';
  if (until !== null) return `until ${momentText(until)}`;
  return term === 'always' ? 'a rule of the environment since' : 'ended with its session';
};

/** What was granted before: who and when is kept. */
const Earlier = ({ grants, nowMs, sessionOf }: { grants: readonly EgressGrant[]; nowMs: number; sessionOf: SessionOf }) =>
  grants.length > 0 && (
    <details className="egress-earlier">
      <summary>Earlier: {grants.length}</summary>
      <ul>
        {grants.map((grant) => (
          <li key={grant.id}>
            <span className="mono">{grant.destination}</span> by {grant.granted_by}, {momentText(grant.granted_at)} ·{' '}
            {endText(grant, nowMs, sessionOf(grant))}
          </li>
        ))}
      </ul>
    </details>
  );

interface GrantBarProps {
  grants: readonly EgressGrant[];
  /** All are of one session, which need not be named. */
  isOneSession: boolean;
}

/** The bar; nothing while nothing was ever granted. */
export const GrantBar = ({ grants, isOneSession }: GrantBarProps) => {
  const nowMs = useNow(10_000);
  const sessions = useStored((state) => state.sessions);
  const sessionOf: SessionOf = ({ session_id }) => (session_id === null ? undefined : sessions[session_id]);
  const nameOf = (id: string | null): string | undefined => (isOneSession || id === null ? undefined : sessions[id]?.name);
  const holding = grants.filter((grant) => isHolding(grant, nowMs, sessionOf));
  if (grants.length === 0) return null;
  const earlier = grants.filter((grant) => !holding.includes(grant));
  return (
    <section className="egress-grants" aria-label="Granted beside the policy">
      <span className="dim">{holding.length > 0 ? 'Granted' : 'Nothing is granted now'}</span>
      <ul>
        {holding.map((grant) => (
          <GrantChip key={grant.id} grant={grant} nowMs={nowMs} session={nameOf(grant.session_id)} />
        ))}
      </ul>
      <span className="grow" />
      <Earlier grants={earlier} nowMs={nowMs} sessionOf={sessionOf} />
    </section>
  );
};
