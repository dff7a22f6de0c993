// All sessions: the living first, then those that can be resumed, then history.
import { Button } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { useAsk } from '../store/actions.ts';
import { sessionsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { Empty } from '../ui/Empty.tsx';
import { Page } from '../ui/Page.tsx';
import { SessionTable } from '../ui/SessionTable.tsx';

/** The page. */
export const SessionsPage = () => {
  const ask = useAsk();
  const sessions = useStored((state) => sessionsInOrder(state));
  useEffect(() => void ask('sessions.list', {}), [ask]);
  return (
    <Page title="Sessions" isFlush>
      {sessions.length === 0 ? (
        <Empty
          icon={<IconTerminal2 size={20} />}
          title="No sessions yet"
          actions={
            <Button component={Link} href="/environments" variant="default">
              Choose an environment
            </Button>
          }
        >
          A session is a live sandbox of an environment, with its own workspace and terminals. Press Launch on any environment.
        </Empty>
      ) : (
        <div style={{ overflow: 'auto' }}>
          <SessionTable sessions={sessions} showsEnvironment />
        </div>
      )}
    </Page>
  );
};
