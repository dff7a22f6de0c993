// Building, the same from every page: unsaved edits are saved first, so that what is built is what the page shows.
import { useLocation } from 'wouter';
import type { Reply } from '../../../sandbox-engine/contract/bridge.ts';
import type { CallInput } from '../../../sandbox-engine/contract/calls.ts';
import type { Build, EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk, useSaveEdits } from './actions.ts';

type Run = (call: Promise<Reply<Build>>) => Promise<Build | null>;
type BuildOptions = Omit<CallInput<'builds.start'>, 'environment_id'>;

/** Starts a build of an environment through `run` and opens its builds; where its edits cannot be saved nothing is built. */
export const useBuild = (run: Run) => {
  const ask = useAsk();
  const [, go] = useLocation();
  const saveEdits = useSaveEdits();
  const start = async (environment: EnvironmentView, options: BuildOptions): Promise<Reply<Build>> => {
    const saved = await saveEdits(environment);
    if (saved.ok) return await ask('builds.start', { environment_id: environment.id, ...options });
    return { ok: false, error: { ...saved.error, message: `Its edits could not be saved: ${saved.error.message}` } };
  };
  return async (environment: EnvironmentView, options: BuildOptions = { pin: true }): Promise<void> => {
    if (await run(start(environment, options))) go(`/environments/${environment.id}/builds`);
  };
};
