// Before an edited policy is saved: what it would have changed for everything that was tried.
import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { ChangedDestination, PolicyReplay } from '../../../sandbox-engine/contract/model.ts';
import { Ago } from '../ui/Ago.tsx';
import { Banner } from '../ui/Banner.tsx';
import { EgressVerdict } from '../ui/EgressVerdict.tsx';
import { counted, formatCount } from '../ui/format.ts';

const shown = 100;

const Changed = ({ destinations }: { destinations: readonly ChangedDestination[] }) => (
  <ul className="replayed">
    {destinations.slice(0, shown).map(({ host, port, attempts, last_at, now }) => (
      <li key={`${host}:${port}`}>
        <div className="row">
          <EgressVerdict verdict={now.verdict} reason={now.reason} />
          <span className="mono grow clip">
            {host}:{port}
          </span>
          <span className="num dim">{formatCount(attempts)}×</span>
          <Ago at={last_at} />
        </div>
        <div className="dim">{now.sentence}</div>
      </li>
    ))}
    {destinations.length > shown && <li className="dim">and {counted(destinations.length - shown, 'destination')} more</li>}
  </ul>
);

/** The line, and behind it the list; `of`: what it counts, where that does not go without saying. */
export const ReplayLine = ({ replay, of = '' }: { replay: PolicyReplay; of?: string }) => {
  const [isOpen, setOpen] = useState(false);
  const changed = [...replay.blocked, ...replay.allowed];
  return (
    <div className="replay">
      <Banner
        tone={replay.would_be_blocked > 0 ? 'warn' : 'plain'}
        title={`${of}${replay.sentence}`}
        actions={
          changed.length > 0 && (
            <UnstyledButton className="link" fz={12.5} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide them' : 'Show them'}
            </UnstyledButton>
          )
        }
      />
      {isOpen && <Changed destinations={changed} />}
    </div>
  );
};
