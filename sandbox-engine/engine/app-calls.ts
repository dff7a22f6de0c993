// The calls about the host itself: snapshot, doctor, shutdown, pruning, the registry file.
import type { CallOutput } from '../contract/calls.ts';
import { viewAgent } from './agent-calls.ts';
import { listBases } from './build-calls.ts';
import { defaultRuntimeSetting } from './default-runtime-setting.ts';
import type { EnvironmentViews } from './environment-views.ts';
import { examine } from './examine.ts';
import type { HandlersOf, House } from './house.ts';
import { importOrphans } from './import-orphans.ts';
import { prune } from './prune.ts';
import { recoverSessions } from './recover.ts';

const snapshotEnvironments = 100;
const snapshotBuilds = 50;
const snapshotAgents = 100;
/** Of those that are over; the rest is history, read page by page. */
const snapshotEnded = 200;

const takeSnapshot = async (house: House, views: EnvironmentViews): Promise<CallOutput<'app.snapshot'>> => {
  const { registry, runtimes, sessions, bus } = house;
  const seq = bus.seq();
  const [page, all, builds, setupRuns, agents] = await Promise.all([
    registry.environments.list({ limit: snapshotEnvironments, includeArchived: false }),
    sessions.list(),
    registry.builds.listRecent(snapshotBuilds),
    registry.setupRuns.listUnfinished(),
    registry.agents.list({ limit: snapshotAgents }),
  ]);
  let ended = 0;
  const shown = all.filter(({ status }) => status !== 'ended' || ++ended <= snapshotEnded);
  const terminals = await Promise.all(all.filter((one) => one.status !== 'ended').map((one) => registry.sessions.listTerminals(one.id)));
  return {
    seq,
    version: house.version,
    command_line: house.commandLine,
    data_folder: house.dataFolder,
    registry: registry.state(),
    runtimes: runtimes.list(),
    environments: await Promise.all(page.environments.map(views.of)),
    environments_total: page.total,
    sessions: shown,
    terminals: terminals.flat(),
    builds,
    setup_runs: setupRuns,
    bases: listBases(),
    agents: await Promise.all(agents.agents.map((agent) => viewAgent(house, agent))),
  };
};

/** Makes the handlers of `app.*`, `runtimes.*`, `registry.*`. `shutdown` closes the host after the answer is out. */
export const createAppCalls = (
  house: House,
  views: EnvironmentViews,
  shutdown: (stopSessions: boolean) => void,
): HandlersOf<'app' | 'runtimes' | 'registry'> => {
  const { registry, runtimes, bus } = house;
  return {
    'app.snapshot': () => takeSnapshot(house, views),
    'app.doctor': async () => await examine(house),
    'app.shutdown': async ({ stop_sessions }) => {
      shutdown(stop_sessions);
      return { ok: true };
    },
    'app.prune': async ({ dry_run }) => await prune(house, dry_run),
    'runtimes.list': async () => ({ runtimes: runtimes.list() }),
    'runtimes.refresh': async () => ({ runtimes: await runtimes.refresh() }),
    'runtimes.set_default': async ({ runtime }) => {
      const list = runtimes.prefer(runtime);
      await registry.saveSetting(defaultRuntimeSetting, runtime);
      return { runtimes: list };
    },
    'registry.restore': async ({ path }) => {
      const state = await registry.restore(path);
      bus.emit('registry.changed', state);
      await recoverSessions(house);
      return state;
    },
    'registry.orphans': async ({ import: wanted }) => ({ environments: await importOrphans(house, wanted) }),
  };
};
