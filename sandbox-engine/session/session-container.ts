// Describes the container of a session, and refuses what cannot be kept safe yet. Pure.
// Source: SPEC.md 7. What every sandbox has in common is in container/sandbox-spec.ts.
import { SandlotError } from '../base/errors.ts';
import type { ContainerSpec, MountSpec } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import { openNetwork } from '../container/sandbox-network.ts';
import { sandboxSpec, workspace } from '../container/sandbox-spec.ts';
import type { NetworkPolicy, Session } from '../contract/model.ts';
import type { LaunchPlan } from './session-parts.ts';

/** Which network a policy asks for. @throws network_policy_not_supported for a policy with rules */
export const networkOf = (policy: NetworkPolicy): Session['network'] => {
  if (!('version' in policy) && Object.keys(policy).length === 0) return 'unrestricted';
  if ('rules' in policy && policy.version === 'v1' && policy.rules.length === 0) return 'none';
  throw new SandlotError('network_policy_not_supported', 'Network rules cannot be enforced yet, so a session with rules is not started.', {
    nextAction: 'Use "rules: []" for no network at all, or "{}" for an unrestricted network.',
  });
};

/** Refuses a plan that must not be run. @throws network_policy_not_supported @throws folder_not_agreed */
export const checkPlan = ({ environment, areFoldersAgreed }: LaunchPlan): void => {
  const network = networkOf(environment.network_policy);
  if (environment.privileged && network !== 'unrestricted') {
    throw new SandlotError(
      'network_policy_not_supported',
      'A privileged session could undo its own network policy, so it needs the unrestricted one.',
      {
        nextAction: 'Set "privileged: false", or the network policy to "{}".',
      },
    );
  }
  const namesFolders = environment.mounts.length > 0 || environment.repo?.source.startsWith('/') === true;
  if (namesFolders && areFoldersAgreed !== true)
    throw new SandlotError('folder_not_agreed', 'The environment names folders of this machine that were not agreed to.');
};

const mountsOf = (plan: LaunchPlan, volume: MountSpec): MountSpec[] => [
  volume,
  ...plan.environment.mounts.map(({ source, target, read_only }): MountSpec => ({ kind: 'bind', source, target, readOnly: read_only })),
];

/** The whole container of a session. */
export const containerSpec = (
  plan: LaunchPlan,
  session: Session,
  image: { id: string; env: string[] },
  makeLabels: MakeLabels,
): ContainerSpec => {
  const of = { session: session.id, environment: session.environment_id, environmentName: session.environment_name };
  return {
    ...sandboxSpec({
      id: session.id,
      image,
      envVars: plan.envVars,
      network: session.network === 'unrestricted' ? openNetwork : { ...openNetwork, network: 'none' },
      cpus: plan.cpus,
      memoryBytes: plan.memoryBytes,
      privileged: plan.environment.privileged,
      gpu: plan.environment.resources.gpu,
    }),
    labels: makeLabels('session', of),
    mounts: mountsOf(plan, { kind: 'volume', source: session.volume, target: workspace, labels: makeLabels('workspace', of) }),
  };
};
