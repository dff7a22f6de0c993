// Launches what an agent gets when it asks for none: its default environment.
import { useEffect } from 'react';
import type { AgentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { launchObstacle, useLaunch } from '../store/use-launch.ts';
import { askAgreement } from '../ui/agree-folders.tsx';
import { LaunchButton } from '../ui/LaunchButton.tsx';
import { usePageDeeds } from '../ui/page-deeds.tsx';
import { useBusy } from '../ui/use-busy.ts';

/** The button; without a default environment it says what is missing. */
export const LaunchDefault = ({ agent }: { agent: AgentView }) => {
  const ask = useAsk();
  const id = agent.default_environment_id;
  const environment = useStored((state) => (id === null ? undefined : state.environments[id]));
  const runtimes = useStored((state) => state.runtimes);
  const { isBusy, run } = useBusy('The session did not start');
  const launch = useLaunch(run, askAgreement);
  const isUnknown = id !== null && environment === undefined;
  useEffect(() => {
    // Only the newest environments are here from the start.
    if (isUnknown) void ask('environments.get', { environment_id: id });
  }, [ask, id, isUnknown]);
  const canLaunch = environment !== undefined && launchObstacle(environment, runtimes) === null;
  usePageDeeds([canLaunch && { label: `Launch ${environment.name}`, run: () => void launch(environment.id) }]);
  if (isUnknown) return null;
  return (
    <LaunchButton
      name={environment?.name ?? agent.name}
      obstacle={environment === undefined ? 'No environment is attached. Attach one first.' : launchObstacle(environment, runtimes)}
      isBusy={isBusy}
      onLaunch={() => environment && void launch(environment.id)}
    />
  );
};
