// What was done here, day by day: by people, and what ended by itself. Each line leads to what it is about, while that is there.
import './activity.css';
import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { AuditEntry, AuditSubject } from '../../../sandbox-engine/contract/model.ts';
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

/** What lines are about, in the order in which they are offered. */
const subjects: Record<AuditSubject, string> = {
  environments: 'Environments',
  builds: 'Builds and pins',
  setup: 'Setup runs',
  sessions: 'Sessions',
  network: 'Network',
  secrets: 'Secrets',
  agents: 'Agents',
  images: 'Images and left-overs',
  settings: 'Settings and data',
};

const subjectChoices = [
  { value: 'all', label: 'About everything' },
  ...Object.entries(subjects).map(([value, label]) => ({ value, label })),
];

interface NothingHereProps {
  search: string;
  about: AuditSubject | null;
  onAll: () => void;
}

const NothingHere = ({ search, about, onAll }: NothingHereProps) => {
  const among = about === null ? '' : ` about ${subjects[about].toLowerCase()}`;
  const all = about !== null && (
    <Button variant="default" onClick={onAll}>
      Show what was about everything
    </Button>
  );
  return search === '' ? (
    <Empty icon={<IconHistory size={20} />} title={`Nothing${among} was done yet`} actions={all}>
      What is made, changed, launched, allowed and deleted is written down here, with its time, and so is how builds, setup runs and
      sessions ended.
    </Empty>
  ) : (
    <Empty icon={<IconSearch size={20} />} title={`Nothing${among} matches “${search}”`} actions={all}>
      The search looks at the words of each line. The newest 20,000 lines are kept.
    </Empty>
  );
};

/** What the list is narrowed to, as the address has it; a word that it does not know is none. */
const useSubject = () => {
  const [word, setWord] = usePlaceState<string>('about', 'all', { isStep: true });
  return [word in subjects ? (word as AuditSubject) : null, setWord] as const;
};

const keyOf = (line: ActivityLine): string => (line.kind === 'day' ? line.day : String(line.entry.seq));

/** The page. */
export const ActivityPage = () => {
  const [search, setSearch] = usePlaceState<string>('search', '');
  const [wanted] = useDebouncedValue(search.trim(), 150);
  const [about, setAbout] = useSubject();
  const { entries, isFirstLoad, hasMore, problem, loadMore } = useAudit({ search: wanted, about });
  const lines = useMemo(() => linesWithDays(entries), [entries]);
  return (
    <Page title="Activity log" isFlush>
      <div className="list-bar">
        <SearchField
          className="activity-search"
          label="Search what was done"
          placeholder="Search what was done"
          value={search}
          onChange={setSearch}
        />
        <Select
          aria-label="What it was about"
          w={170}
          allowDeselect={false}
          data={subjectChoices}
          value={about ?? 'all'}
          onChange={(value) => setAbout(value ?? 'all')}
        />
        <span className="grow" />
        <Legend />
      </div>
      {problem && (
        <div className="list-note">
          <Banner tone="bad" title={problem.message} next={problem.next_action} />
        </div>
      )}
      {isFirstLoad && <Loading what="the activity log" />}
      {!isFirstLoad && !problem && entries.length === 0 && <NothingHere search={wanted} about={about} onAll={() => setAbout('all')} />}
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
