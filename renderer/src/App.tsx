// Providers and routes. Addresses live in the hash, so that the same bundle works from a file, from Electron and from the browser door.
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { lazy, Suspense, useEffect } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import type { AppEvent } from '../../sandbox-engine/contract/events.ts';
import { EnvironmentsPage } from './environments/EnvironmentsPage.tsx';
import { HomePage } from './home/HomePage.tsx';
import { RuntimesPage } from './runtimes/RuntimesPage.tsx';
import { SecretsPage } from './secrets/SecretsPage.tsx';
import { SessionsPage } from './sessions/SessionsPage.tsx';
import { SettingsPage } from './settings/SettingsPage.tsx';
import { NoSuchPage } from './shell/NoSuchPage.tsx';
import { outcomeOf, settledDeletion, settledIdle } from './shell/outcomes.ts';
import { PageBoundary } from './shell/PageBoundary.tsx';
import { Shell } from './shell/Shell.tsx';
import { useKeptFocus } from './shell/use-kept-focus.ts';
import type { State } from './store/state.ts';
import { type AppStore, AppStoreContext } from './store/store.ts';
import { useCutTitles } from './ui/cut-titles.ts';
import { useDensityAttribute } from './ui/density.ts';
import { useHashPlace } from './ui/hash-location.ts';
import { Loading } from './ui/Loading.tsx';
import { notifyDone, notifyFailed, notifyFailure, notifyNotice, notifyWarning, withdrawUndo, withdrawWarning } from './ui/notify.tsx';
import { PageDeedsProvider } from './ui/page-deeds.tsx';
import { cssVariables, theme } from './ui/theme.ts';

// The editor and the terminal are most of the bundle: pages that need them come after the first picture, and ahead of need.
const load = {
  images: async () => ({ default: (await import('./images/ImagesPage.tsx')).ImagesPage }),
  activity: async () => ({ default: (await import('./activity/ActivityPage.tsx')).ActivityPage }),
  agents: async () => ({ default: (await import('./agents/AgentsPage.tsx')).AgentsPage }),
  agent: async () => ({ default: (await import('./agents/AgentPage.tsx')).AgentPage }),
  create: async () => ({ default: (await import('./environments/CreatePage.tsx')).CreatePage }),
  environment: async () => ({ default: (await import('./environment/EnvironmentPage.tsx')).EnvironmentPage }),
  session: async () => ({ default: (await import('./session/SessionPage.tsx')).SessionPage }),
  storage: async () => ({ default: (await import('./storage/StoragePage.tsx')).StoragePage }),
  network: async () => ({ default: (await import('./egress/EgressPage.tsx')).EgressPage }),
  observation: async () => ({ default: (await import('./egress/ObservedSession.tsx')).ObservedSession }),
  sessionNetwork: async () => ({ default: (await import('./egress/SessionEgress.tsx')).SessionEgress }),
};
const ActivityPage = lazy(load.activity);
const AgentsPage = lazy(load.agents);
const AgentPage = lazy(load.agent);
const CreatePage = lazy(load.create);
const EnvironmentPage = lazy(load.environment);
const SessionPage = lazy(load.session);
const ImagesPage = lazy(load.images);
const StoragePage = lazy(load.storage);
const EgressPage = lazy(load.network);
const SessionEgress = lazy(load.sessionNetwork);
const ObservedSession = lazy(load.observation);

const usePagesAhead = () => {
  useEffect(() => {
    // A failure is told when the page is really wanted.
    const fetchAll = () => void Promise.allSettled(Object.values(load).map((one) => one()));
    const timer = setTimeout(fetchAll, 1500);
    return () => clearTimeout(timer);
  }, []);
};

const Routes = () => (
  <Switch>
    <Route path="/" component={HomePage} />
    <Route path="/environments" component={EnvironmentsPage} />
    <Route path="/environments/new" component={CreatePage} />
    <Route path="/environments/:id/:tab?">{({ id, tab }) => <EnvironmentPage key={id} id={id} tab={tab ?? 'overview'} />}</Route>
    <Route path="/sessions" component={SessionsPage} />
    <Route path="/sessions/:id/:tab?">
      {({ id, tab }) => (
        <SessionPage
          key={id}
          id={id}
          tab={tab ?? 'terminals'}
          network={(session, replace) => <SessionEgress session={session} onReplace={replace} />}
          observation={(session) => <ObservedSession session={session} />}
        />
      )}
    </Route>
    <Route path="/agents" component={AgentsPage} />
    <Route path="/agents/:id">{({ id }) => <AgentPage key={id} id={id} />}</Route>
    <Route path="/network" component={EgressPage} />
    <Route path="/secrets" component={SecretsPage} />
    <Route path="/images" component={ImagesPage} />
    <Route path="/activity" component={ActivityPage} />
    <Route path="/storage" component={StoragePage} />
    <Route path="/runtimes" component={RuntimesPage} />
    <Route path="/settings" component={SettingsPage} />
    <Route component={NoSuchPage} />
  </Switch>
);

/** Whoever pressed something that went with its page goes on by keyboard at the beginning of the next one. */
const useFocusOn = (place: string) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what is watched
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  }, [place]);
};

const Pages = () => {
  const [place] = useLocation();
  usePagesAhead();
  useFocusOn(place);
  useKeptFocus();
  return (
    <PageBoundary place={place}>
      <Suspense fallback={<Loading what="the page" />}>
        <Routes />
      </Suspense>
    </PageBoundary>
  );
};

const keepDeed = (ask: AppStore['ask'], sessionId: string | undefined) => {
  if (sessionId === undefined) return null;
  const keep = async () => {
    const kept = await ask('sessions.keep_running', { session_id: sessionId });
    if (!kept.ok) notifyFailure('The session was not kept running', kept.error);
  };
  return { label: 'Keep running', run: () => void keep() };
};

const tellOutcome = (ask: AppStore['ask'], event: AppEvent, before: State) => {
  const awake = settledIdle(before, event);
  if (awake !== null) withdrawWarning(awake);
  const settled = settledDeletion(before, event);
  if (settled !== null) withdrawUndo(settled);
  const outcome = outcomeOf(before, event, location.hash.slice(1));
  if (outcome === null) return;
  const link = { label: 'Show', href: outcome.href };
  if (outcome.tone === 'warn') notifyWarning(outcome.text, { link, subject: outcome.subject, deed: keepDeed(ask, outcome.keeps) });
  else if (outcome.tone === 'good') notifyDone(outcome.text, link);
  else notifyFailed(outcome.text, link);
};

/** The whole window. */
export const App = ({ store }: { store: AppStore }) => {
  useDensityAttribute();
  useCutTitles();
  useEffect(() => store.onNotice(({ level, message }) => notifyNotice(level, message)), [store]);
  useEffect(() => store.listen((event, before) => tellOutcome(store.ask, event, before)), [store]);
  return (
    <AppStoreContext.Provider value={store}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <Notifications position="bottom-right" limit={4} />
        <Router hook={useHashPlace}>
          <ModalsProvider>
            <PageDeedsProvider>
              <Shell>
                <Pages />
              </Shell>
            </PageDeedsProvider>
          </ModalsProvider>
        </Router>
      </MantineProvider>
    </AppStoreContext.Provider>
  );
};
