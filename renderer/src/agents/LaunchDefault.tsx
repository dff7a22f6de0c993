// Launches what an agent gets when it asks for none: its default environment.
import { useEffect } from 'react';
import type { AgentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { launchObstacle, placeOfObstacle, useLaunch } from '../store/use-launch.ts';
import { askAgreement } from '../ui/agree-folders.tsx';
import { LaunchButton } from '../ui/LaunchButton.tsx';
import { LaunchNote, launchNoteId } from '../ui/LaunchNote.tsx';
import { usePageDeeds } from '../ui/page-deeds.tsx';
import { useBusy } from '../ui/use-busy.ts';

/** Why it cannot be launched now; null when it can, or while nobody knows. */
const useObstacle = ({ default_environment_id: id }: AgentView): string | null =>
  useStored(({ environments, runtimes }) => {
    if (id === null) return 'No environment is attached. Attach one first.';
    const environment = environments[id];
    return environment === undefined ? null : launchObstacle(environment, runtimes);
  });

/** Under the head of its page: why, where it is not possible, and of which environment that is. */
export const LaunchDefaultNote = ({ agent }: { agent: AgentView }) => {
  const environment = useStored(({ environments }) => environments[agent.default_environment_id ?? '']);
  return <LaunchNote obstacle={useObstacle(agent)} of={environment?.name} way={environment && placeOfObstacle(environment)} />;
};

/** The button. */
export const LaunchDefault = ({ agent }: { agent: AgentView }) => {
  const ask = useAsk();
  const id = agent.default_environment_id;
  const environment = useStored((state) => (id === null ? undefined : state.environments[id]));
  const obstacle = useObstacle(agent);
  const { isBusy, run } = useBusy('The session did not start');
  const launch = useLaunch(run, askAgreement);
  const isUnknown = id !== null && environment === undefined;
  useEffect(() => {
    // Only the newest environments are here from the start.
    if (isUnknown) void ask('environments.get', { environment_id: id });
  }, [ask, id, isUnknown]);
  const canLaunch = environment !== undefined && obstacle === null;
  usePageDeeds([canLaunch && { label: `Launch ${environment.name}`, run: () => void launch(environment.id) }]);
  if (isUnknown) return null;
  return (
    <LaunchButton
      name={environment?.name ?? agent.name}
      obstacle={obstacle}
      saidAt={launchNoteId}
      isBusy={isBusy}
      onLaunch={() => environment && void launch(environment.id)}
    />
  );
};
