// One session: its launch while it starts, then its terminals; what it runs on is said beside them.
import './session.css';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useHotkeys, useLocalStorage } from '@mantine/hooks';
import { IconLayoutSidebarRight, IconTerminal2 } from '@tabler/icons-react';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { Banner } from '../ui/Banner.tsx';
import { Empty } from '../ui/Empty.tsx';
import { NotThere } from '../ui/NotThere.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { StepList } from '../ui/StepList.tsx';
import { SessionStatus } from '../ui/Verdict.tsx';
import { LifeBanners } from './LifeBanners.tsx';
import { OfferedFile } from './OfferedFile.tsx';
import { SessionActions } from './SessionActions.tsx';
import { launchSteps, SessionSide } from './SessionSide.tsx';
import { SessionTools } from './SessionTools.tsx';
import { sessionParts } from './session-parts.ts';
import { TerminalPane } from './TerminalPane.tsx';
import { TerminalTabs } from './TerminalTabs.tsx';
import { useTerminals } from './use-terminals.ts';

const Launching = ({ session }: { session: Session }) => (
  <div className="launching">
    <Panel title={session.status === 'failed' ? 'The launch failed' : 'Launching'} note={session.environment_name} isFlush>
      <StepList steps={launchSteps(session)} label="Launch steps" />
    </Panel>
  </div>
);

const stateText: Partial<Record<Session['status'], { title: string; next: string }>> = {
  stopped: { title: 'This session is stopped', next: 'Its workspace is kept. Resume brings it back.' },
  ended: {
    title: 'This session has ended',
    next: 'What its terminals printed can still be read. Launch the environment again for a new one.',
  },
  failed: { title: 'This session failed', next: 'Look at its environment, then launch it again.' },
};

const SessionBanners = ({ session, tab }: { session: Session; tab: string }) => {
  // What is deleted says so itself, and cannot be resumed.
  if (session.deleted_at) return null;
  const state = stateText[session.status];
  return (
    <>
      {session.fallback && (
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
      {state && (
        <Banner isBar tone={session.status === 'failed' ? 'bad' : 'plain'} title={session.message ?? state.title} next={state.next} />
      )}
      {!state && session.observed && tab !== 'network' && (
        <Banner
          isBar
          tone="warn"
          title="This session is observed: everything public passes"
          actions={
            <Button variant="default" component={Link} href={`/sessions/${session.id}/network`}>
              See where it goes
            </Button>
          }
        />
      )}
      {!state && session.message && <Banner isBar tone="warn" title={session.message} />}
    </>
  );
};

const TabBar = ({ session, active }: { session: Session; active: string }) => (
  <nav className="session-tabs" aria-label="Parts of this session">
    {[
      { id: 'terminals', label: 'Terminals' },
      ...sessionParts.filter(({ isFor }) => isFor?.(session) ?? true),
      { id: 'network', label: 'Network' },
    ].map((part) => (
      <Link
        key={part.id}
        href={part.id === 'terminals' ? `/sessions/${session.id}` : `/sessions/${session.id}/${part.id}`}
        className={part.id === active ? 'session-tab is-active' : 'session-tab'}
        aria-current={part.id === active ? 'page' : undefined}
      >
        {part.label}
      </Link>
    ))}
  </nav>
);

const Terminals = ({ session }: { session: Session }) => {
  const room = useRef<HTMLDivElement>(null);
  const { terminals, active, isBusy, open, close, pick, titleOf, rename } = useTerminals(session, room);
  const isRunning = session.status === 'running';
  useHotkeys([['mod+shift+T', () => void (isRunning && open())]], []);
  return (
    <div className="session-main">
      <TerminalTabs
        terminals={terminals}
        titleOf={titleOf}
        active={active}
        canOpen={isRunning}
        onPick={pick}
        onOpen={() => void open()}
        onClose={(terminal) => void close(terminal)}
        onRename={rename}
      />
      <div className="term-room" ref={room}>
        {terminals.map((terminal) => (
          <TerminalPane key={terminal.id} terminal={terminal} isShown={terminal.id === active} />
        ))}
        {terminals.length === 0 && !isBusy && (session.status === 'starting' || session.status === 'failed') && (
          <Launching session={session} />
        )}
        {terminals.length === 0 && isRunning && !isBusy && (
          <Empty
            icon={<IconTerminal2 size={20} />}
            title="No terminal open"
            actions={
              <Button variant="default" onClick={() => void open()}>
                New terminal
              </Button>
            }
          >
            The session goes on running without one.
          </Empty>
        )}
        {terminals.length === 0 && (session.status === 'stopped' || session.status === 'ended') && (
          <Empty icon={<IconTerminal2 size={20} />} title="No terminal was left open">
            {session.status === 'stopped' ? 'Resume the session to open one.' : 'There is no output to read.'}
          </Empty>
        )}
      </div>
    </div>
  );
};

interface SessionPageProps {
  id: string;
  tab: string;
  /** What is shown of the session's network: another screen's work. */
  network: (session: Session) => ReactNode;
}

/** What the tab shows beside the terminals; null when it is theirs. */
const partOf = ({ tab, network }: SessionPageProps, session: Session): ReactNode => {
  if (tab === 'network') return network(session);
  const Part = sessionParts.find(({ id }) => id === tab)?.Part;
  return Part === undefined ? null : <Part session={session} />;
};

/** The page. Terminals stay as they are while another tab is shown. */
export const SessionPage = (props: SessionPageProps) => {
  const { id, tab } = props;
  const ask = useAsk();
  const session = useStored((state) => state.sessions[id]);
  const [hasSide, setSide] = useLocalStorage({ key: 'sandlot-session-side', defaultValue: true, getInitialValueInEffect: false });
  useEffect(() => void ask('sessions.get', { session_id: id }), [ask, id]);
  if (!session) return <NotThere noun="session" icon={<IconTerminal2 size={20} />} parent={{ label: 'Sessions', href: '/sessions' }} />;
  const part = partOf(props, session);
  return (
    <Page
      title={session.name}
      parent={{ label: 'Sessions', href: '/sessions' }}
      isFlush
      beside={<SessionStatus status={session.status} />}
      tabs={<TabBar session={session} active={tab} />}
      actions={
        <>
          <SessionTools session={session} />
          <SessionActions session={session} />
          <Tooltip label={hasSide ? 'Hide details' : 'Show details'}>
            <ActionIcon aria-label={hasSide ? 'Hide details' : 'Show details'} aria-pressed={hasSide} onClick={() => setSide(!hasSide)}>
              <IconLayoutSidebarRight size={16} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      <LifeBanners session={session} />
      <SessionBanners session={session} tab={tab} />
      <OfferedFile session={session} />
      <div className={hasSide ? 'session-split' : 'session-split has-no-side'}>
        <div className="session-room" hidden={part !== null}>
          <Terminals session={session} />
        </div>
        {part !== null && (
          <div className="session-room">
            <Suspense>{part}</Suspense>
          </div>
        )}
        {hasSide && <SessionSide session={session} />}
      </div>
    </Page>
  );
};
