import { IconTerminal2 } from '@tabler/icons-react';
import { useCallback } from 'react';
import { type Editing, useAsk } from '../store/actions.ts';
import { sessionsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { useAwayIds } from '../store/use-away.ts';
import { useListUsage } from '../store/use-list-usage.ts';
import { usePages } from '../store/use-pages.ts';
import { useSessionDeeds } from '../store/use-session-deeds.ts';
import { sessionDeletion } from '../ui/ask-session.ts';
import { Banner } from '../ui/Banner.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Loading } from '../ui/Loading.tsx';
import { SessionTable } from '../ui/SessionTable.tsx';
import { useBusy } from '../ui/use-busy.ts';

/** The sessions of this environment, past ones too. */
export const SessionsTab = ({ editing }: { editing: Editing }) => {
  const ask = useAsk();
  const { id } = editing.environment;
  const sessions = useStored((state) => sessionsInOrder(state, id));
  const load = useCallback((cursor: { cursor?: string }) => ask('sessions.list', { environment_id: id, limit: 200, ...cursor }), [ask, id]);
  const { isFirstLoad, hasMore, problem, loadMore } = usePages(load);
  const usage = useListUsage(sessions);
  const away = useAwayIds();
  const { run } = useBusy('The session was not changed');
  const deeds = useSessionDeeds(run, sessionDeletion);
  if (sessions.length > 0)
    return <SessionTable sessions={sessions} usage={usage} away={away} {...deeds} onEnd={hasMore ? loadMore : undefined} />;
  if (problem)
    return (
      <div className="list-note">
        <Banner tone="bad" title={problem.message} next={problem.next_action} />
      </div>
    );
  if (isFirstLoad) return <Loading what="sessions" />;
  return (
    <Empty icon={<IconTerminal2 size={20} />} title="No sessions of this environment yet">
      Press Launch above. Each session gets its own fresh sandbox and its own workspace; two sessions never share files.
    </Empty>
  );
};
