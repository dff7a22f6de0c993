// The row of a session that is about to be launched. Pure, but for its time.
import type { Clock } from '../base/clock.ts';
import type { Session } from '../contract/model.ts';
import { networkOf } from './session-container.ts';
import type { LaunchPlan } from './session-parts.ts';

/** Which network a launch by this plan begins with. */
export const firstNetwork = ({ environment, observe }: LaunchPlan): Session['network'] =>
  observe === true ? 'gate' : networkOf(environment.network_policy);

/** The row of a session with this id. */
export const newSession = (clock: Pick<Clock, 'iso'>, plan: LaunchPlan, id: string): Session => {
  const { environment } = plan;
  return {
    id,
    environment_id: environment.id,
    environment_name: environment.name,
    environment_revision: environment.revision,
    name: plan.name ?? environment.name,
    status: 'starting',
    message: null,
    runtime: plan.runtimeId,
    container_id: null,
    volume: `sandlot-${id}`,
    ...(environment.repo === null ? {} : { workdir: environment.repo.path }),
    image_id: typeof plan.image === 'string' ? plan.image : null,
    image_source: plan.imageSource,
    fallback: plan.fallback,
    network: firstNetwork(plan),
    observed: plan.observe === true,
    seal: null,
    secrets: plan.secrets?.names ?? [],
    secret_files: plan.secrets?.files ?? [],
    ...(environment.computer_use ? { computer_use: true } : {}),
    ...(plan.config === undefined ? {} : { config: plan.config }),
    steps: [],
    start_script: { status: 'none', exit_code: null, stream_id: null },
    created_at: clock.iso(),
    started_at: null,
    stopped_at: null,
    ended_at: null,
  };
};
