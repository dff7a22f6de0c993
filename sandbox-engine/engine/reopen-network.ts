// The network of a sandbox that another one takes the place of, and of one whose gate is made anew: the policy changes hands, the gate stays.
import type { NetworkRequest, ReopenedNetwork } from '../container/sandbox-network.ts';
import type { CarriedPlace } from '../egress/carried-door.ts';
import type { Gates } from '../gate/gates.ts';
import { forgetPolicyBefore, keepPolicy, readKept, setPolicyAside, settlePolicy } from './kept-policy.ts';
import { caughtPorts, closedPolicy, type Keeping, listenAgain } from './listen-under.ts';
import type { GateMending, GateMendingDeps } from './mend-gate.ts';
import type { PresetBook } from './preset-book.ts';
import type { PolicyChange } from './sandbox-policies.ts';

export interface Reopening {
  presets: Pick<PresetBook, 'ready'>;
  keeping: Keeping;
  gates: Pick<Gates, 'join'>;
  mending: GateMending;
  change: (sandboxId: string, policy: PolicyChange) => Promise<unknown>;
}

/** Opens it; the gate stays, and what the sandbox that stands may reach is kept beside. @throws gate_failed */
export const reopenNetwork = async (
  { presets, keeping, gates, mending, change }: Reopening,
  { environment, imageId, signal, containerId, ...owner }: NetworkRequest & { containerId: string },
): Promise<ReopenedNetwork> => {
  const { sandboxId } = owner;
  const file = keeping.places.of(sandboxId).policyFile;
  await settlePolicy(file, containerId);
  const before = await readKept(file);
  const asked = 'rules' in environment.network_policy ? environment.network_policy : closedPolicy;
  const resolved = await presets.ready(environment, imageId, signal);
  await mending.remake(owner, containerId);
  const sandboxNetwork = await gates.join(owner);
  const undo = async (): Promise<void> => {
    await settlePolicy(file, containerId);
    try {
      await keeping.policies.change(sandboxId, { ...before, within: null });
    } catch (thrown) {
      // Better no way out than that of another environment.
      await keeping.policies.close(sandboxId).catch(() => undefined);
      throw thrown;
    }
  };
  await setPolicyAside(file, containerId, before);
  try {
    const next = { policy: asked, presets: resolved, revision: environment.revision, environmentId: environment.id };
    // Two sandboxes stand behind this gate until one of them goes: neither gets by it what its own rules do not open.
    await change(sandboxId, { ...next, within: before });
  } catch (thrown) {
    await undo().catch(() => undefined);
    throw thrown;
  }
  const done = async (): Promise<void> => {
    await forgetPolicyBefore(file);
    await keeping.policies.change(sandboxId, { within: null });
  };
  return { join: sandboxNetwork, undo, done };
};

/** What a gate is made anew with: the policy that its sandbox keeps. */
export const keptRequest =
  ({ places, policies, names }: Keeping): GateMendingDeps['requestOf'] =>
  async (owner) => {
    const { sandboxId } = owner;
    const file = places.of(sandboxId).policyFile;
    const kept = await readKept(file);
    // Whoever stands in for the gate already is on the line: nothing is opened a second time.
    const listen = (socketFolder: string, carried?: CarriedPlace): Promise<void> =>
      listenAgain({ places, policies, names }, sandboxId, { socketFolder, carried });
    const putBack = async (): Promise<void> => {
      await policies.close(sandboxId).catch(() => undefined);
      await places.make(sandboxId);
      await keepPolicy(file, kept);
    };
    return { request: { ...owner, listen, ports: caughtPorts(kept.policy, kept.observe) }, putBack };
  };
