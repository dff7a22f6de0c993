// The window around every page: navigation, what is wrong with host or registry, the command palette.
import './shell.css';
import './narrow.css';
import { ActionIcon, Loader, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import {
  IconBox,
  IconCpu,
  IconDatabase,
  IconHistory,
  IconHome,
  IconKey,
  IconMoon,
  IconNetwork,
  IconRobot,
  IconSearch,
  IconSettings,
  IconStack2,
  IconSun,
  IconTerminal2,
} from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useEffect } from 'react';
import { Link, useRoute } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { defaultRuntime, isLive, liveSessions } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { useAwayIds } from '../store/use-away.ts';
import { Shortcut } from '../ui/Shortcut.tsx';
import { Status } from '../ui/Status.tsx';
import { HostBanners } from './HostBanners.tsx';
import { Palette } from './Palette.tsx';

interface NavItemProps {
  href: string;
  match: string;
  icon: ComponentType<{ size: number; stroke: number }>;
  label: string;
  count?: number;
  /** What is counted, where it is not all. */
  countOf?: string;
}

const NavItem = ({ href, match, icon: Icon, label, count = 0, countOf }: NavItemProps) => {
  const [isActive] = useRoute(match);
  return (
    <Link href={href} className={isActive ? 'nav-item is-active' : 'nav-item'} aria-current={isActive ? 'page' : undefined}>
      <Icon size={16} stroke={1.7} />
      {label}
      {count > 0 && <span className="nav-count">{countOf === undefined ? count : `${count} ${countOf}`}</span>}
    </Link>
  );
};

const LiveSession = ({ session, isAway }: { session: Session; isAway: boolean }) => {
  const [isShown] = useRoute(`/sessions/${session.id}/*?`);
  return (
    <Link
      href={`/sessions/${session.id}`}
      className={isShown ? 'nav-item is-active' : 'nav-item'}
      aria-current={isShown ? 'page' : undefined}
      title={`${session.name} · ${session.environment_name}${isAway ? ' · Out of reach' : ''}`}
    >
      <Status tone={isAway ? 'warn' : session.status === 'running' ? 'ok' : 'run'} label="" />
      <span className="clip">{session.name}</span>
    </Link>
  );
};

const LiveSessions = () => {
  const sessions = useStored((state) => liveSessions(state).slice(0, 12));
  const away = useAwayIds();
  if (sessions.length === 0) return null;
  return (
    <>
      <div className="nav-heading">Running now</div>
      {sessions.map((session) => (
        <LiveSession key={session.id} session={session} isAway={away.has(session.runtime)} />
      ))}
    </>
  );
};

const RuntimeFoot = () => {
  const runtime = useStored(defaultRuntime);
  const isReconnecting = useStored((state) => state.runtimes.some((candidate) => candidate.status === 'reconnecting'));
  const name = runtime && `${runtime.kind === 'podman' ? 'Podman' : 'Docker'} ${runtime.version?.split('+')[0] ?? ''}`;
  const label = name ?? (isReconnecting ? 'Reconnecting to the runtime' : 'No runtime found');
  return (
    <Link href="/runtimes" className="nav-foot-runtime clip" title={runtime?.message ?? 'See what was looked for, and how to mend it'}>
      <Status tone={runtime ? 'ok' : isReconnecting ? 'run' : 'bad'} label={label} />
    </Link>
  );
};

const SchemeButton = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const next = shown === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip label={`Switch to ${next}${colorScheme === 'auto' ? ' (follows the system now)' : ''}`}>
      <ActionIcon aria-label={`Switch to the ${next} look`} onClick={() => setColorScheme(next)}>
        {shown === 'dark' ? <IconSun size={16} stroke={1.7} /> : <IconMoon size={16} stroke={1.7} />}
      </ActionIcon>
    </Tooltip>
  );
};

const Navigation = () => {
  const total = useStored((state) => state.environmentsTotal);
  const running = useStored((state) => Object.values(state.sessions).filter(isLive).length);
  return (
    <nav className="nav" aria-label="Main">
      <div className="nav-brand">
        <img src="./icon.svg" alt="" />
        Sandlot
      </div>
      <button type="button" className="nav-search" onClick={() => spotlight.open()}>
        <IconSearch size={14} stroke={1.8} />
        <span className="grow" style={{ textAlign: 'left' }}>
          Search…
        </span>
        <Shortcut keys={['mod', 'K']} />
      </button>
      <div className="nav-scroll">
        <NavItem href="/" match="/" icon={IconHome} label="Home" />
        <NavItem href="/environments" match="/environments/*?" icon={IconBox} label="Environments" count={total} />
        <NavItem href="/sessions" match="/sessions/*?" icon={IconTerminal2} label="Sessions" count={running} countOf="running" />
        <NavItem href="/agents" match="/agents/*?" icon={IconRobot} label="Agents" />
        <NavItem href="/network" match="/network" icon={IconNetwork} label="Network" />
        <NavItem href="/secrets" match="/secrets" icon={IconKey} label="Secrets" />
        <NavItem href="/images" match="/images" icon={IconStack2} label="Images" />
        <NavItem href="/storage" match="/storage" icon={IconDatabase} label="Storage" />
        <NavItem href="/activity" match="/activity" icon={IconHistory} label="Activity log" />
        <NavItem href="/runtimes" match="/runtimes" icon={IconCpu} label="Runtimes" />
        <NavItem href="/settings" match="/settings" icon={IconSettings} label="Settings" />
        <LiveSessions />
      </div>
      <div className="nav-foot">
        <RuntimeFoot />
        <SchemeButton />
      </div>
    </nav>
  );
};

const Starting = () => {
  const link = useStored((state) => state.link);
  return (
    <div className="starting">
      {link === 'refused' ? (
        <div className="stack-tight" style={{ textAlign: 'center', maxWidth: 420 }} role="alert">
          <strong>The host does not answer</strong>
          <span>
            It is not running, or this page was opened without a valid token. Start it again with <code className="mono">npm start</code>{' '}
            and open the address that it prints. This page goes on trying.
          </span>
        </div>
      ) : (
        <div className="row" role="status">
          <Loader size={16} color="gray" /> Connecting to the host…
        </div>
      )}
    </div>
  );
};

/** The window. Pages are drawn as soon as the first snapshot is here. */
export const Shell = ({ children }: { children: ReactNode }) => {
  const hasStarted = useStored((state) => state.registry !== null);
  const hasDrafts = useStored((state) => Object.keys(state.drafts).length > 0);
  useEffect(() => {
    if (!hasDrafts) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasDrafts]);
  return (
    <div className="shell">
      <button type="button" className="skip-link" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the page
      </button>
      <Navigation />
      <main className="main" id="main" tabIndex={-1} style={{ outline: 'none' }}>
        <HostBanners />
        {hasStarted ? children : <Starting />}
      </main>
      <Palette />
    </div>
  );
};
