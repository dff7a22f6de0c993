// Describes the container of a session, and refuses what cannot be kept safe yet. Pure.
// Source: SPEC.md 7. What every sandbox has in common is in container/sandbox-spec.ts.

import { SandlotError } from '../base/errors.ts';
import { repoFolder } from '../base/repo-folder.ts';
import type { ContainerSpec, MountSpec } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import { type SandboxNetwork, wayOf } from '../container/sandbox-network.ts';
import { sandboxSpec, workspace } from '../container/sandbox-spec.ts';
import type { NetworkPolicy, Session } from '../contract/model.ts';
import { displayVariables } from './desktop.ts';
import { secretMount } from './secret-files.ts';
import type { LaunchPlan } from './session-parts.ts';

/** Which network a policy asks for; whether a gate is needed where nothing is allowed is seen when it is opened. */
export const networkOf = (policy: NetworkPolicy): Session['network'] => (wayOf(policy) === 'bridge' ? 'unrestricted' : 'gate');

/** Refuses a plan that must not be run. @throws network_policy_not_supported @throws folder_not_agreed */
export const checkPlan = ({ environment, areFoldersAgreed, observe = false }: LaunchPlan): void => {
  if (environment.privileged && observe) {
    throw new SandlotError('network_policy_not_supported', 'A privileged session could leave the gate, so it cannot be observed.', {
      nextAction: 'Set "privileged: false" while you observe.',
    });
  }
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
  const namesFolders = environment.mounts.length > 0 || repoFolder(environment.repo) !== null;
  if (namesFolders && areFoldersAgreed !== true)
    throw new SandlotError('folder_not_agreed', 'The environment names folders of this machine that were not agreed to.');
};

const mountsOf = (plan: LaunchPlan, ofNetwork: MountSpec[], volume: MountSpec): MountSpec[] => [
  ...ofNetwork,
  volume,
  ...plan.environment.mounts.map(({ source, target, read_only }): MountSpec => ({ kind: 'bind', source, target, readOnly: read_only })),
];

/** The whole container of a session. */
export const containerSpec = (
  plan: LaunchPlan,
  session: Session,
  { image, network, makeLabels }: { image: { id: string; env: string[] }; network: SandboxNetwork; makeLabels: MakeLabels },
): ContainerSpec => {
  const of = { session: session.id, environment: session.environment_id, environmentName: session.environment_name };
  const { cpus, memoryBytes, environment } = plan;
  const { privileged, resources } = environment;
  const envVars = environment.computer_use ? { ...displayVariables, ...plan.envVars } : plan.envVars;
  const spec = sandboxSpec({ id: session.id, image, envVars, network, cpus, memoryBytes, privileged, gpu: resources.gpu });
  return {
    ...spec,
    ...(session.secret_files.length === 0 ? {} : { tmpfs: secretMount }),
    labels: makeLabels('session', of),
    mounts: mountsOf(plan, spec.mounts, { kind: 'volume', source: session.volume, target: workspace, labels: makeLabels('workspace', of) }),
  };
};
