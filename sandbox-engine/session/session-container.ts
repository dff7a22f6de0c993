// Describes the container of a session, and refuses what cannot be kept safe yet. Pure.
// Source: SPEC.md 7; an image's own entry point is replaced altogether.
import { SandlotError } from '../base/errors.ts';
import type { ContainerSpec, MountSpec } from '../container/container-runtime.ts';
import { keepAlive } from '../container/keep-alive.ts';
import type { MakeLabels } from '../container/labels.ts';
import type { NetworkPolicy, Session } from '../contract/model.ts';
import { type LaunchPlan, sandboxUser, workspace } from './session-parts.ts';

/** Which network a policy asks for. @throws network_policy_not_supported for a policy with rules */
export const networkOf = (policy: NetworkPolicy): Session['network'] => {
  if (!('version' in policy) && Object.keys(policy).length === 0) return 'unrestricted';
  if ('rules' in policy && policy.version === 'v1' && policy.rules.length === 0) return 'none';
  throw new SandlotError('network_policy_not_supported', 'Network rules cannot be enforced yet, so a session with rules is not started.', {
    nextAction: 'Use "rules: []" for no network at all, or "{}" for an unrestricted network.',
  });
};

/** Refuses a plan that must not be run. @throws network_policy_not_supported @throws forbidden */
export const checkPlan = ({ environment, mountsGranted }: LaunchPlan): void => {
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
  const [first] = environment.mounts;
  if (first !== undefined && mountsGranted !== true) {
    throw new SandlotError(
      'forbidden',
      `The environment mounts the folder ${first.source} of this machine, and that was not agreed to yet.`,
      {
        nextAction: 'Remove the mounts from the environment; agreeing to them comes with a later version.',
      },
    );
  }
};

const environmentOf = (envVars: Record<string, string>, imageEnv: string[]): string[] => {
  const given = Object.entries(envVars).map(([name, value]) => `${name}=${value}`);
  const hasLocale = [...given, ...imageEnv].some((line) => /^(LANG|LC_ALL)=/.test(line));
  return hasLocale ? given : ['LANG=C.UTF-8', ...given];
};

const mountsOf = (plan: LaunchPlan, volume: MountSpec): MountSpec[] => [
  volume,
  ...plan.environment.mounts.map(({ source, target, read_only }): MountSpec => ({ kind: 'bind', source, target, readOnly: read_only })),
];

/** The whole container of a session. `imageEnv` decides only whether a locale must be added. */
export const containerSpec = (
  plan: LaunchPlan,
  session: Session,
  image: { id: string; env: string[] },
  makeLabels: MakeLabels,
): ContainerSpec => {
  const of = { session: session.id, environment: session.environment_id, environmentName: session.environment_name };
  const isRestricted = session.network !== 'unrestricted';
  return {
    name: `sandlot-${session.id}`,
    image: image.id,
    command: keepAlive,
    env: environmentOf(plan.envVars, image.env),
    labels: makeLabels('session', of),
    user: sandboxUser,
    workdir: workspace,
    hostname: session.id.slice(-12),
    network: isRestricted ? 'none' : 'bridge',
    mounts: mountsOf(plan, { kind: 'volume', source: session.volume, target: workspace, labels: makeLabels('workspace', of) }),
    cpus: plan.cpus,
    memoryBytes: plan.memoryBytes,
    stopTimeoutSeconds: 1,
    // no-new-privileges stays off: sudo is wanted inside.
    ...(isRestricted ? { capDrop: ['NET_RAW', 'NET_ADMIN'] } : {}),
    ...(plan.environment.privileged ? { privileged: true } : {}),
    ...(plan.environment.resources.gpu ? { gpu: true } : {}),
  };
};
