// What sandboxes try to reach, live: attempts or destinations, filtered, over time, with the way to allow what is blocked.
import './egress.css';
import { IconNetwork } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { EgressGrant } from '../../../sandbox-engine/contract/model.ts';
import type { AttemptList, EgressQuery } from '../store/attempt-list.ts';
import { useAttempts, useDestinations, useGrants } from '../store/use-egress.ts';
import { Banner } from '../ui/Banner.tsx';
import { Empty } from '../ui/Empty.tsx';
import { counted } from '../ui/format.ts';
import { Loading } from '../ui/Loading.tsx';
import { AttemptDetail, DestinationDetail } from './AttemptDetail.tsx';
import { AttemptRows, DestinationRows, keyOfDestination } from './EgressLists.tsx';
import { EgressTools, type Shown, useFilters } from './EgressTools.tsx';
import { GrantBar } from './GrantBar.tsx';
import { TimeChart } from './TimeChart.tsx';

interface EgressViewProps {
  scope: Pick<EgressQuery, 'environment_id' | 'session_id' | 'setup_run_id'>;
  /** The environment whose policy is meant when destinations are looked at; null for all. */
  environmentId: string | null;
  /** Said when nothing was ever tried. */
  empty: ReactNode;
}

const NoMatch = () => (
  <Empty icon={<IconNetwork size={20} />} title="Nothing matches">
    The filter looks at host and port. Take it away to see everything that was tried.
  </Empty>
);

interface ListsProps {
  list: AttemptList;
  sums: ReturnType<typeof useDestinations>;
  shown: Shown;
  environmentId: string | null;
  sessionId: string | null;
  grants: readonly EgressGrant[];
  onMore: () => void;
}

/** The table that is asked for, and beside it what was chosen in it. */
const Lists = ({ list, sums: { sums, refresh }, shown, environmentId, sessionId, grants, onMore }: ListsProps) => {
  const [chosen, setChosen] = useState<string | null>(null);
  const choose = (key: string) => setChosen((before) => (before === key ? null : key));
  const close = () => setChosen(null);
  const attempt = list.attempts.find(({ id }) => id === chosen);
  const destination = sums?.destinations.find((one) => keyOfDestination(one) === chosen);
  const rows = { chosen, onChoose: choose };
  return (
    <div className="egress-split">
      {shown === 'attempts' ? (
        <AttemptRows
          rows={list.attempts}
          grants={grants}
          isOneEnvironment={environmentId !== null}
          isOneSession={sessionId !== null}
          onEnd={onMore}
          {...rows}
        />
      ) : (
        <DestinationRows rows={sums?.destinations ?? []} {...rows} />
      )}
      {attempt && <AttemptDetail key={attempt.id} {...{ attempt, grants }} onClose={close} />}
      {destination && (
        <DestinationDetail {...{ destination, environmentId, sessionId, grants }} onClose={close} onGranted={() => void refresh()} />
      )}
    </div>
  );
};

/** The view; it fills the room it is in. */
export const EgressView = ({ scope, environmentId, empty }: EgressViewProps) => {
  const filters = useFilters();
  const { shown, isPaused, filter, isFiltered } = filters;
  const query = { ...scope, ...filter };
  const { list, problem, missed, loadMore } = useAttempts(query, isPaused);
  const sums = useDestinations(query, isPaused);
  const grants = useGrants(scope);
  const isEmpty = list !== null && list.attempts.length === 0 && (sums.sums?.destinations.length ?? 0) === 0;
  return (
    <div className="egress">
      {((list !== null && !isEmpty) || isFiltered) && <EgressTools {...{ filters, missed }} />}
      <GrantBar grants={grants} isOneSession={scope.session_id !== undefined} />
      {problem && <Banner isBar tone="bad" title={problem.message} next={problem.next_action} />}
      {list === null && !problem && <Loading what="what was tried" />}
      {isEmpty && (isFiltered ? <NoMatch /> : empty)}
      {list !== null && !isEmpty && (
        <>
          <TimeChart attempts={list.attempts} sums={sums.sums} />
          <Lists
            key={shown}
            {...{ list, sums, shown, environmentId, grants }}
            sessionId={scope.session_id ?? null}
            onMore={() => void loadMore()}
          />
          {list.older > 0 && shown === 'attempts' && (
            <div className="egress-note">
              {counted(list.older, 'older attempt is', 'older attempts are')} no longer kept one by one: “Destinations” counts them.
            </div>
          )}
        </>
      )}
    </div>
  );
};
