// What was done here, day by day: by people, and what ended by itself. Each line leads to what it is about, while that is there.
import './activity.css';
import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AuditEntry } from '../../../sandbox-engine/contract/model.ts';
import { useStored } from '../store/store.ts';
import { useAudit } from '../store/use-audit.ts';
import { Banner } from '../ui/Banner.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Loading } from '../ui/Loading.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Status, type Tone } from '../ui/Status.tsx';

const tones: Record<AuditEntry['kind'], Tone> = { asked: 'plain', ok: 'ok', failed: 'bad' };
const kindWords: Record<AuditEntry['kind'], string> = { asked: 'Asked for', ok: 'Came by itself', failed: 'Failed' };

const dayOf = (at: string): string =>
  new Date(at).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const timeOf = (at: string): string => new Date(at).toLocaleTimeString('en-GB');

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

const Day = ({ day, entries }: { day: string; entries: AuditEntry[] }) => (
  <section aria-label={day}>
    <h2 className="activity-day">{day}</h2>
    <ol className="activity-list">
      {entries.map((entry) => (
        <li key={entry.seq} className="activity-line">
          <time className="num faint" dateTime={entry.at} title={entry.at}>
            {timeOf(entry.at)}
          </time>
          <span title={kindWords[entry.kind]}>
            <Status tone={tones[entry.kind]} label="" isHollow={entry.kind === 'asked'} />
            <span className="visually-hidden">{kindWords[entry.kind]}: </span>
          </span>
          <span className="activity-text">{entry.text}</span>
          <Where entry={entry} />
        </li>
      ))}
    </ol>
  </section>
);

const inDays = (entries: AuditEntry[]): [string, AuditEntry[]][] => {
  const days = new Map<string, AuditEntry[]>();
  for (const entry of entries) {
    const day = dayOf(entry.at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days];
};

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

/** The page. */
export const ActivityPage = () => {
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 150);
  const { entries, isFirstLoad, hasMore, problem, loadMore } = useAudit(wanted);
  const [isReading, setReading] = useState(false);
  const readMore = async () => {
    setReading(true);
    await loadMore();
    setReading(false);
  };
  return (
    <Page title="Activity log">
      <div className="activity-toolbar">
        <SearchField label="Search what was done" placeholder="Search what was done" value={search} onChange={setSearch} />
      </div>
      {problem && <Banner tone="bad" title={problem.message} next={problem.next_action} />}
      {isFirstLoad && <Loading what="the activity log" />}
      {!isFirstLoad && !problem && entries.length === 0 && <NothingHere search={wanted} />}
      {inDays(entries).map(([day, ofDay]) => (
        <Day key={day} day={day} entries={ofDay} />
      ))}
      {hasMore && (
        <Button variant="default" loading={isReading} onClick={() => void readMore()}>
          Show older
        </Button>
      )}
    </Page>
  );
};
