// What was done here, day by day: by people, and what ended by itself. Each line leads to what it is about, while that is there.
import './activity.css';
import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { AuditEntry } from '../../../sandbox-engine/contract/model.ts';
import { useStored } from '../store/store.ts';
import { useAudit } from '../store/use-audit.ts';
import { Banner } from '../ui/Banner.tsx';
import { Empty } from '../ui/Empty.tsx';
import { timeText } from '../ui/format.ts';
import { Loading } from '../ui/Loading.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Status, type Tone } from '../ui/Status.tsx';
import { usePlaceState } from '../ui/use-place-state.ts';
import { WindowedList } from '../ui/WindowedList.tsx';
import { type ActivityLine, linesWithDays } from './lines-with-days.ts';

const tones: Record<AuditEntry['kind'], Tone> = { asked: 'plain', ok: 'ok', failed: 'bad' };
const kindWords: Record<AuditEntry['kind'], string> = { asked: 'Somebody did it', ok: 'Ended by itself', failed: 'Failed' };

const Legend = () => (
  <span className="row faint" style={{ gap: 14 }}>
    {(['asked', 'ok', 'failed'] as const).map((kind) => (
      <Status key={kind} tone={tones[kind]} label={kindWords[kind]} isHollow={kind === 'asked'} />
    ))}
  </span>
);

const Where = ({ entry }: { entry: AuditEntry }) => {
  const session = useStored((state) => (entry.session_id === null ? undefined : state.sessions[entry.session_id]));
  const environment = useStored((state) => (entry.environment_id === null ? undefined : state.environments[entry.environment_id]));
  if (session) {
    return (
      <Link className="link clip" href={`/sessions/${session.id}`}>
        {session.name}
      </Link>
    );
  }
  if (!environment) return null;
  return (
    <Link className="link clip" href={`/environments/${environment.id}`}>
      {environment.name}
    </Link>
  );
};

const Line = ({ entry }: { entry: AuditEntry }) => (
  <div className="activity-line">
    <time className="num faint" dateTime={entry.at} title={entry.at}>
      {timeText(entry.at)}
    </time>
    <span title={kindWords[entry.kind]}>
      <Status tone={tones[entry.kind]} label="" isHollow={entry.kind === 'asked'} />
      <span className="visually-hidden">{kindWords[entry.kind]}: </span>
    </span>
    <span className="activity-text">{entry.text}</span>
    <Where entry={entry} />
  </div>
);

const NothingHere = ({ search }: { search: string }) =>
  search === '' ? (
    <Empty icon={<IconHistory size={20} />} title="Nothing was done yet">
      What is made, changed, launched, allowed and deleted is written down here, with its time, and so is how builds, setup runs and
      sessions ended.
    </Empty>
  ) : (
    <Empty icon={<IconSearch size={20} />} title={`Nothing matches “${search}”`}>
      The search looks at the words of each line. The newest 20,000 lines are kept.
    </Empty>
  );

const keyOf = (line: ActivityLine): string => (line.kind === 'day' ? line.day : String(line.entry.seq));

/** The page. */
export const ActivityPage = () => {
  const [search, setSearch] = usePlaceState<string>('search', '');
  const [wanted] = useDebouncedValue(search.trim(), 150);
  const { entries, isFirstLoad, hasMore, problem, loadMore } = useAudit(wanted);
  const lines = useMemo(() => linesWithDays(entries), [entries]);
  return (
    <Page title="Activity log" isFlush>
      <div className="list-bar">
        <SearchField label="Search what was done" placeholder="Search what was done" value={search} onChange={setSearch} />
        <span className="grow" />
        <Legend />
      </div>
      {problem && (
        <div className="list-note">
          <Banner tone="bad" title={problem.message} next={problem.next_action} />
        </div>
      )}
      {isFirstLoad && <Loading what="the activity log" />}
      {!isFirstLoad && !problem && entries.length === 0 && <NothingHere search={wanted} />}
      {entries.length > 0 && (
        <WindowedList
          label="What was done"
          role="list"
          itemRole="listitem"
          items={lines}
          keyOf={keyOf}
          usualHeight={34}
          draw={(line) => (line.kind === 'day' ? <h2 className="activity-day">{line.day}</h2> : <Line entry={line.entry} />)}
          onEnd={hasMore ? loadMore : undefined}
        />
      )}
    </Page>
  );
};
