// Providers and routes. Addresses live in the hash, so that the same bundle works from a file, from Electron and from the browser door.
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { EnvironmentPage } from './environment/EnvironmentPage.tsx';
import { CreatePage } from './environments/CreatePage.tsx';
import { EnvironmentsPage } from './environments/EnvironmentsPage.tsx';
import { HomePage } from './home/HomePage.tsx';
import { RuntimesPage } from './runtimes/RuntimesPage.tsx';
import { SessionPage } from './session/SessionPage.tsx';
import { SessionsPage } from './sessions/SessionsPage.tsx';
import { Shell } from './shell/Shell.tsx';
import { type AppStore, AppStoreContext } from './store/store.ts';
import { notifyNotice } from './ui/notify.tsx';
import { cssVariables, theme } from './ui/theme.ts';

const Routes = () => (
  <Switch>
    <Route path="/" component={HomePage} />
    <Route path="/environments" component={EnvironmentsPage} />
    <Route path="/environments/new" component={CreatePage} />
    <Route path="/environments/:id/:tab?">{({ id, tab }) => <EnvironmentPage key={id} id={id} tab={tab ?? 'overview'} />}</Route>
    <Route path="/sessions" component={SessionsPage} />
    <Route path="/sessions/:id">{({ id }) => <SessionPage key={id} id={id} />}</Route>
    <Route path="/runtimes" component={RuntimesPage} />
    <Route>
      <Redirect to="/" />
    </Route>
  </Switch>
);

/** The whole window. */
export const App = ({ store }: { store: AppStore }) => {
  useEffect(() => store.onNotice(({ level, message }) => notifyNotice(level, message)), [store]);
  return (
    <AppStoreContext.Provider value={store}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <Notifications position="bottom-right" limit={4} />
        <Router hook={useHashLocation}>
          <ModalsProvider>
            <Shell>
              <Routes />
            </Shell>
          </ModalsProvider>
        </Router>
      </MantineProvider>
    </AppStoreContext.Provider>
  );
};
