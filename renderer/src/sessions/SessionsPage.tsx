// All sessions: the living first, then those that can be resumed, then history.
import { Button } from '@mantine/core';
import { IconSearch, IconTerminal2 } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { Link } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
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
import { Page } from '../ui/Page.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { SessionTable } from '../ui/SessionTable.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { usePlaceState } from '../ui/use-place-state.ts';
import { countText } from './count-text.ts';

const pageSize = 200;

const Teaching = () => (
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
);

const matches = ({ name, environment_name: environment, id }: Session, search: string): boolean =>
  `${name} ${environment} ${id}`.toLowerCase().includes(search);

/** The page. */
export const SessionsPage = () => {
  const ask = useAsk();
  const [search, setSearch] = usePlaceState<string>('search', '');
  const all = useStored((state) => sessionsInOrder(state));
  const load = useCallback((cursor: { cursor?: string }) => ask('sessions.list', { limit: pageSize, ...cursor }), [ask]);
  const { isFirstLoad, hasMore, problem, loadMore } = usePages(load);
  const wanted = search.trim().toLowerCase();
  const sessions = useMemo(() => (wanted === '' ? all : all.filter((session) => matches(session, wanted))), [all, wanted]);
  const usage = useListUsage(sessions);
  const away = useAwayIds();
  const { run } = useBusy('The session was not changed');
  const deeds = useSessionDeeds(run, sessionDeletion);
  const isEmpty = all.length === 0 && !hasMore;
  return (
    <Page title="Sessions" isFlush>
      {!isEmpty && (
        <div className="list-bar">
          <SearchField label="Search sessions" placeholder="Search by name, environment or id" value={search} onChange={setSearch} />
          <span className="grow" />
          <span className="faint num" role="status">
            {countText(sessions, hasMore)}
          </span>
        </div>
      )}
      {problem && (
        <div className="list-note">
          <Banner tone="bad" title={problem.message} next={problem.next_action} />
        </div>
      )}
      {isEmpty && isFirstLoad && <Loading what="sessions" />}
      {isEmpty && !isFirstLoad && !problem && <Teaching />}
      {!isEmpty && sessions.length === 0 && !hasMore && (
        <Empty icon={<IconSearch size={20} />} title={`Nothing matches “${search.trim()}”`}>
          The search looks at the names of sessions and environments, and at ids.
        </Empty>
      )}
      {sessions.length > 0 || hasMore ? (
        <SessionTable sessions={sessions} usage={usage} away={away} {...deeds} showsEnvironment onEnd={hasMore ? loadMore : undefined} />
      ) : null}
    </Page>
  );
};
