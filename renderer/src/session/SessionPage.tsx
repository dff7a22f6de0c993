// One session: its launch while it starts, then its terminals; what it runs on is said beside them.
import './session.css';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { IconLayoutSidebarRight, IconTerminal2 } from '@tabler/icons-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { useAwayIds } from '../store/use-away.ts';
import { Banner } from '../ui/Banner.tsx';
import { Boundary } from '../ui/Boundary.tsx';
import { NoSuchPart } from '../ui/NoSuchPart.tsx';
import { NotThere } from '../ui/NotThere.tsx';
import { Page } from '../ui/Page.tsx';
import { usePageDeeds } from '../ui/page-deeds.tsx';
import { SessionStatus } from '../ui/SessionStatus.tsx';
import { sessionTrouble } from '../ui/session-trouble.ts';
import { BlockedCount } from './BlockedCount.tsx';
import { FailedBanner } from './FailedBanner.tsx';
import { LifeBanners } from './LifeBanners.tsx';
import { NewPorts } from './NewPorts.tsx';
import { OfferedFile } from './OfferedFile.tsx';
import { openReplace } from './ReplaceDialog.tsx';
import { SessionActions } from './SessionActions.tsx';
import { SessionSide } from './SessionSide.tsx';
import { SessionTools } from './SessionTools.tsx';
import { sessionParts } from './session-parts.ts';
import { Terminals } from './Terminals.tsx';
import { wayBack } from './way-back.ts';

const stateText: Partial<Record<Session['status'], { title: string; next: string }>> = {
  stopped: { title: 'This session is stopped', next: 'Its workspace is kept. Resume brings it back.' },
  ended: {
    title: 'This session has ended',
    next: 'What its terminals printed can still be read. Launch the environment again for a new one.',
  },
};

/** A sandbox that is gone cannot be resumed, whatever else a stopped session can be. */
const nextWords = (session: Session, next: string): string =>
  wayBack(session) === 'replace' ? 'There is nothing to resume. Replace sandbox makes another one on the same workspace.' : next;

const SessionBanners = ({ session, hasSide }: { session: Session; hasSide: boolean }) => {
  // What is deleted says so itself, and cannot be resumed.
  if (session.deleted_at) return null;
  if (session.status === 'failed') return <FailedBanner session={session} />;
  const state = stateText[session.status];
  // How the start script went stands at the side, when that is shown.
  const trouble = hasSide ? session.message : sessionTrouble(session);
  return (
    <>
      {session.fallback && !state && (
        <Banner
          isBar
          tone="warn"
          title="Running on the default base"
          next={session.fallback}
          actions={
            <Button variant="default" component={Link} href={`/environments/${session.environment_id}`}>
              Open environment
            </Button>
          }
        />
      )}
      {state && <Banner isBar tone="plain" title={session.message ?? state.title} next={nextWords(session, state.next)} />}
      {!state && trouble !== null && <Banner isBar tone="warn" title={trouble} />}
    </>
  );
};

/** The parts that this session has, its terminals first. */
const partsOf = (session: Session) => [
  { id: 'terminals', label: 'Terminals' },
  ...sessionParts.filter(({ isFor }) => isFor?.(session) ?? true),
  { id: 'network', label: 'Network' },
];

const hrefOf = (session: Session, part: string): string =>
  part === 'terminals' ? `/sessions/${session.id}` : `/sessions/${session.id}/${part}`;

const PartDeeds = ({ session, active }: { session: Session; active: string }) => {
  const [, go] = useLocation();
  usePageDeeds(
    partsOf(session).map(({ id, label }) => id !== active && { label: `Show ${label}`, isPart: true, run: () => go(hrefOf(session, id)) }),
  );
  return null;
};

const TabBar = ({ session, active }: { session: Session; active: string }) => (
  <nav className="session-tabs" aria-label="Parts of this session">
    <PartDeeds session={session} active={active} />
    {partsOf(session).map((part) => (
      <Link
        key={part.id}
        href={hrefOf(session, part.id)}
        className={part.id === active ? 'session-tab is-active' : 'session-tab'}
        aria-current={part.id === active ? 'page' : undefined}
      >
        {part.label}
        {part.id === 'ports' && <NewPorts key={session.id} session={session} isShown={active === 'ports'} />}
        {part.id === 'network' && <BlockedCount session={session} />}
      </Link>
    ))}
  </nav>
);

interface SessionPageProps {
  id: string;
  tab: string;
  /** What is shown of the session's network: another screen's work. */
  network: (session: Session, replace: () => void) => ReactNode;
  /** What is said, and can be done, while its network is open to see what it reaches. */
  observation: (session: Session) => ReactNode;
}

/** What the tab shows beside the terminals; null when it is theirs. */
const partOf = ({ tab, network }: SessionPageProps, session: Session): ReactNode => {
  if (tab === 'network') return network(session, () => openReplace(session));
  if (tab === 'terminals') return null;
  const found = sessionParts.find(({ id, isFor }) => id === tab && (isFor?.(session) ?? true));
  return found ? <found.Part session={session} /> : <NoSuchPart name={tab} href={`/sessions/${session.id}`} label="Terminals" />;
};

/** Whether the column is shown; where it would take a third of the room it is not, until it is asked for there. */
const useSide = (): [hasSide: boolean, setSide: (hasSide: boolean) => void] => {
  const hasRoom = useMediaQuery('(min-width: 1200px)', undefined, { getInitialValueInEffect: false });
  const [inRoom, setInRoom] = useLocalStorage({ key: 'sandlot-session-side', defaultValue: true, getInitialValueInEffect: false });
  const [inNarrow, setInNarrow] = useLocalStorage({
    key: 'sandlot-session-side-narrow',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return hasRoom ? [inRoom, setInRoom] : [inNarrow, setInNarrow];
};

/** The page. Terminals stay as they are while another tab is shown. */
export const SessionPage = (props: SessionPageProps) => {
  const away = useAwayIds();
  const { id, tab } = props;
  const ask = useAsk();
  const session = useStored((state) => state.sessions[id]);
  const [hasSide, setSide] = useSide();
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => void ask('sessions.get', { session_id: id }), [ask, id]);
  if (!session) return <NotThere noun="session" icon={<IconTerminal2 size={20} />} parent={{ label: 'Sessions', href: '/sessions' }} />;
  const part = partOf(props, session);
  return (
    <Page
      title={session.name}
      parent={{ label: 'Sessions', href: '/sessions' }}
      isFlush
      beside={<SessionStatus session={session} away={away} isLeaving={isLeaving} />}
      tabs={<TabBar session={session} active={tab} />}
      actions={
        <>
          <SessionTools session={session} />
          <SessionActions session={session} isLeaving={isLeaving} onLeaving={setLeaving} />
          <Tooltip label={hasSide ? 'Hide details' : 'Show details'}>
            <ActionIcon aria-label={hasSide ? 'Hide details' : 'Show details'} aria-pressed={hasSide} onClick={() => setSide(!hasSide)}>
              <IconLayoutSidebarRight size={16} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      <LifeBanners session={session} />
      <SessionBanners session={session} hasSide={hasSide} />
      {session.observed && !session.deleted_at && (
        <Boundary place={id} noun="part">
          <Suspense>{props.observation(session)}</Suspense>
        </Boundary>
      )}
      <OfferedFile session={session} />
      <div className={hasSide ? 'session-split' : 'session-split has-no-side'}>
        <div className="session-room" hidden={part !== null}>
          <Terminals session={session} />
        </div>
        {part !== null && (
          <div className="session-room">
            <Boundary place={tab} noun="part">
              <Suspense>{part}</Suspense>
            </Boundary>
          </div>
        )}
        {hasSide && <SessionSide session={session} />}
      </div>
    </Page>
  );
};
