// What can be done to a session from its row: stop or resume, and delete; the rest is on its page.
import { ActionIcon, Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { askDeleteSession, askStopSession } from './ask-session.ts';
import type { RowPart } from './RowList.tsx';

interface SessionDeedsProps {
  session: Session;
  part: RowPart;
  onStop: (session: Session) => Promise<unknown>;
  onResume: (session: Session) => Promise<unknown>;
  onDelete: (session: Session) => Promise<unknown>;
}

/** The buttons; nothing for one whose deletion can still be undone, which its name offers. */
export const SessionDeeds = ({ session, part, onStop, onResume, onDelete }: SessionDeedsProps) => {
  const [isBusy, setBusy] = useState(false);
  const act = (deed: (session: Session) => Promise<unknown>) => () => {
    setBusy(true);
    void deed(session).finally(() => setBusy(false));
  };
  const { name, status } = session;
  if (session.deleted_at) return null;
  return (
    <span className="row session-deeds">
      {status === 'running' && (
        <Button
          variant="default"
          size="compact-xs"
          {...part}
          loading={isBusy}
          aria-label={`Stop ${name}`}
          onClick={() => askStopSession(session, act(onStop))}
        >
          Stop
        </Button>
      )}
      {status === 'stopped' && session.container_id !== null && (
        <Button variant="default" size="compact-xs" {...part} loading={isBusy} aria-label={`Resume ${name}`} onClick={act(onResume)}>
          Resume
        </Button>
      )}
      <ActionIcon
        {...part}
        aria-label={`Delete ${name}`}
        title="Delete with workspace…"
        onClick={() => askDeleteSession(session, act(onDelete))}
      >
        <IconTrash size={14} />
      </ActionIcon>
    </span>
  );
};
