// Whether anything is at work that a host without clients must wait for.
import type { Session } from '../contract/model.ts';
import type { House } from './house.ts';
import { needsLifetime } from './keep-lifetimes.ts';

/** A build, a setup run, a terminal, a session that starts or needs this host. */
export const isBusy = async ({ registry, clock, activity }: House): Promise<boolean> => {
  const [builds, runs, terminals, sessions] = await Promise.all([
    registry.builds.listUnfinished(),
    registry.setupRuns.listUnfinished(),
    registry.sessions.listRunningTerminals(),
    registry.sessions.list(),
  ]);
  if (builds.length + runs.length + terminals.length > 0 || activity.isNeeded()) return true;
  // Behind a gate nothing passes but through this host.
  const needsHost = ({ network, start_script }: Session) => network === 'gate' || start_script.status === 'running';
  if (await needsLifetime({ registry, clock }, sessions)) return true;
  return sessions.some((one) => one.status === 'starting' || (one.status === 'running' && needsHost(one)));
};
