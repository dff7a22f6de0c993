import { IconTerminal2 } from '@tabler/icons-react';
import { useEffect } from 'react';
import { type Editing, useAsk } from '../store/actions.ts';
import { sessionsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { Empty } from '../ui/Empty.tsx';
import { SessionTable } from '../ui/SessionTable.tsx';

/** The sessions of this environment, past ones too. */
export const SessionsTab = ({ editing }: { editing: Editing }) => {
  const ask = useAsk();
  const { id } = editing.environment;
  const sessions = useStored((state) => sessionsInOrder(state, id));
  useEffect(() => void ask('sessions.list', { environment_id: id }), [ask, id]);
  if (sessions.length === 0)
    return (
      <Empty icon={<IconTerminal2 size={20} />} title="No sessions of this environment yet">
        Press Launch above. Each session gets its own fresh sandbox and its own workspace; two sessions never share files.
      </Empty>
    );
  return (
    <div style={{ margin: '-20px -24px 0' }}>
      <SessionTable sessions={sessions} />
    </div>
  );
};
