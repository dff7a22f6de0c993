// What was granted beside the policy and still holds; each can be taken back.
import './grants.css';
import { Button } from '@mantine/core';
import type { EgressGrant } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { Ago } from '../ui/Ago.tsx';
import { notifyDone } from '../ui/notify.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { useNow } from '../ui/use-now.ts';
import { minutesLeft } from './egress-words.ts';

const isHolding = ({ revoked_at, until, for: term, session_id }: EgressGrant, nowMs: number): boolean =>
  revoked_at === null && (until === null || minutesLeft(until, nowMs) !== null) && (term !== 'always' || session_id !== null);

const timeText = ({ until, for: term }: EgressGrant, nowMs: number): string => {
  if (until !== null) return `${minutesLeft(until, nowMs)} min left`;
  return term === 'always' ? 'for good' : 'this session';
};

const GrantChip = ({ grant, nowMs }: { grant: EgressGrant; nowMs: number }) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy(`The grant of ${grant.destination} was not taken back`);
  const revoke = async () => {
    if (await run(ask('egress.revoke', { grant_id: grant.id }))) notifyDone(`${grant.destination} is no longer granted.`);
  };
  return (
    <li className="egress-grant">
      <span className="mono">{grant.destination}</span>
      <span className="dim num">{timeText(grant, nowMs)}</span>
      <span className="faint">
        by {grant.granted_by}, <Ago at={grant.granted_at} />
      </span>
      <Button size="compact-xs" variant="subtle" color="gray" loading={isBusy} onClick={() => void revoke()}>
        Take back<span className="visually-hidden"> the grant of {grant.destination}</span>
      </Button>
    </li>
  );
};

const endText = ({ revoked_at, until }: EgressGrant): string => {
  if (revoked_at !== null) return `taken back ${new Date(revoked_at).toLocaleString('en-GB')}`;
  return until === null ? 'a rule of the environment since' : `ended ${new Date(until).toLocaleString('en-GB')}`;
};

/** What was granted before: who and when is kept. */
const Earlier = ({ grants }: { grants: readonly EgressGrant[] }) =>
  grants.length > 0 && (
    <details className="egress-earlier">
      <summary>Earlier: {grants.length}</summary>
      <ul>
        {grants.map((grant) => (
          <li key={grant.id}>
            <span className="mono">{grant.destination}</span> by {grant.granted_by}, {new Date(grant.granted_at).toLocaleString('en-GB')} ·{' '}
            {endText(grant)}
          </li>
        ))}
      </ul>
    </details>
  );

/** The bar; nothing while nothing was ever granted. */
export const GrantBar = ({ grants }: { grants: readonly EgressGrant[] }) => {
  const nowMs = useNow(10_000);
  const holding = grants.filter((grant) => isHolding(grant, nowMs));
  if (grants.length === 0) return null;
  const earlier = grants.filter((grant) => !holding.includes(grant));
  return (
    <section className="egress-grants" aria-label="Granted beside the policy">
      <span className="dim">{holding.length > 0 ? 'Granted' : 'Nothing is granted now'}</span>
      <ul>
        {holding.map((grant) => (
          <GrantChip key={grant.id} grant={grant} nowMs={nowMs} />
        ))}
      </ul>
      <span className="grow" />
      <Earlier grants={earlier} />
    </section>
  );
};
