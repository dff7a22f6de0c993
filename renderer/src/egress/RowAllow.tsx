// Allows what was blocked from its row; the rule is shown before anything is done.
import { Button, Popover } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { EgressGrant, LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';
import type { RowPart } from '../ui/RowList.tsx';
import { AllowBox } from './AllowBox.tsx';
import { canGrant, destinationText } from './egress-words.ts';
import { useGrantFor, useIsRuled, useLiveSession } from './use-attempt.ts';

interface RowAllowProps {
  attempt: LoggedAttempt;
  grants: readonly EgressGrant[];
  focus: RowPart;
}

/** The button; nothing where no rule would have helped, and a word where it was allowed since. */
export const RowAllow = ({ attempt, grants, focus }: RowAllowProps) => {
  const [isOpen, setOpen] = useState(false);
  const sessionId = useLiveSession(attempt.session_id);
  const given = useGrantFor(grants, attempt);
  const isRuled = useIsRuled(attempt);
  if (!canGrant(attempt)) return null;
  if (given || isRuled)
    return (
      <span className="row-granted tone-ok" title="It was allowed since: what is tried now passes">
        <IconCheck size={13} aria-hidden="true" /> Allowed now
      </span>
    );
  const where = destinationText(attempt);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={390}
      trapFocus
      returnFocus
      withinPortal
      zIndex={150}
      shadow="md"
    >
      <Popover.Target>
        <Button size="compact-xs" variant="default" {...focus} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Allow…<span className="visually-hidden"> {where}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {/* The rule is still on its way when this opens: the focus waits here, and Tab goes on to the buttons. */}
        <div className="mono clip row-allow-title" tabIndex={-1} data-autofocus>
          {where}
        </div>
        <AllowBox
          environmentId={attempt.environment_id}
          sessionId={sessionId}
          destination={where}
          reason={attempt.reason}
          onGranted={() => setOpen(false)}
          onAsk={() => setOpen(false)}
        />
      </Popover.Dropdown>
    </Popover>
  );
};
