// The calls about setup runs: start, follow, cancel, compare runtimes.
// Source: SPEC.md 5.
import { checkScript } from '../setup/script.ts';
import { findEnvironment, type HandlersOf, type House } from './house.ts';

/** Makes the handlers of `setup.*` and `setup_runs.*`. */
export const createSetupCalls = (house: House): HandlersOf<'setup' | 'setup_runs'> => {
  const { registry, setupRuns, runtimes, secrets } = house;

  const connected = (): string[] =>
    runtimes
      .list()
      .filter((probe) => probe.status === 'connected')
      .map((probe) => probe.id);

  return {
    'setup.check': async ({ script }) => checkScript(script),
    'setup_runs.create': async ({ environment_id, idempotency_key, observe = false }) => {
      const environment = await findEnvironment(house, environment_id);
      // Its script may print what it should not know: not before that can be masked.
      if (environment.secrets.length + environment.secret_files.length > 0) await secrets.ready();
      return await setupRuns.start(environment, { idempotencyKey: idempotency_key, kind: 'manual', observe });
    },
    'setup_runs.get': ({ setup_run_id, wait_seconds }) => setupRuns.get(setup_run_id, wait_seconds ?? 0),
    'setup_runs.list': async ({ environment_id, limit = 50, cursor }) => {
      const { items, nextCursor } = await registry.history.setupRuns({ environmentId: environment_id, limit, cursor });
      return { setup_runs: items, next_cursor: nextCursor };
    },
    'setup_runs.cancel': ({ setup_run_id }) => setupRuns.cancel(setup_run_id),
    'setup_runs.logs': async ({ setup_run_id, after, limit, wait_seconds }) => {
      const page = await setupRuns.logs(setup_run_id, { after: after ?? 0, limit: limit ?? 500, waitSeconds: wait_seconds ?? 0 });
      return { lines: page.lines, next_after: page.nextAfter, truncated: page.truncated, status: page.status };
    },
    'setup_runs.parity': async ({ environment_id, runtimes: asked }) =>
      await setupRuns.parity(await findEnvironment(house, environment_id), asked ?? connected()),
  };
};
