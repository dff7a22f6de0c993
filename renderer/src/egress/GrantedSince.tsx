// Says that a destination passes by now, because a person allowed it since: told by the event of the grant, not by the button.
import { IconCircleCheck } from '@tabler/icons-react';
import type { EgressGrant } from '../../../sandbox-engine/contract/model.ts';
import { Ago } from '../ui/Ago.tsx';
import { counted } from '../ui/format.ts';
import { useNow } from '../ui/use-now.ts';
import { minutesLeft } from './egress-words.ts';
import { TakeBack } from './TakeBack.tsx';

const termWords = ({ until, for: term }: EgressGrant, nowMs: number): string => {
  if (until !== null) return `For ${counted(minutesLeft(until, nowMs) ?? 0, 'more minute')}`;
  return term === 'always' ? 'For good, as a rule of the environment' : 'For this session';
};

/** The line. */
export const GrantedSince = ({ grant }: { grant: EgressGrant }) => {
  const nowMs = useNow(10_000);
  // What became a rule of the environment is taken back there.
  const isRule = grant.for === 'always' && grant.session_id === null;
  return (
    <section className="egress-allow is-granted" role="status" aria-label={`${grant.destination} is allowed now`}>
      <div className="row">
        <span className="egress-verdict tone-ok">
          <IconCircleCheck size={14} stroke={1.9} aria-hidden="true" /> Allowed since
        </span>
        <span className="grow" />
        {!isRule && <TakeBack grant={grant} />}
      </div>
      <div className="dim">
        {termWords(grant, nowMs)}, by {grant.granted_by}, <Ago at={grant.granted_at} />. Try again what was blocked.
      </div>
    </section>
  );
};
