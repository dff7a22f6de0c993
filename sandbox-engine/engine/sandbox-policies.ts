// What each sandbox that is up may reach: its policy, and the grants over it, as the policy proxy has them. The proxy's thread starts with
// the first sandbox that needs it.
import { createTurns } from '../base/take-turns.ts';
import type { CarriedPlace } from '../egress/carried-door.ts';
import type { SandboxPolicy } from '../egress/loaded-policy.ts';
import type { PolicyProxy } from '../egress/policy-proxy.ts';
import type { Registry } from '../registry/registry.ts';
import { activeGrants } from './egress-grants.ts';
import type { GrantTimes } from './grant-times.ts';

/** A sandbox behind a gate, and the policy that it keeps. */
export interface PolicedSandbox extends Pick<SandboxPolicy, 'policy' | 'presets' | 'revision' | 'observe'> {
  sandboxId: string;
  environmentId: string;
  /** Where the proxy listens for it; only its gate can enter. */
  socketFolder: string;
  /** Where its carrier finds the proxy, in the place of sockets in the folder. */
  carried?: CarriedPlace;
  /** Addresses that names had before, and who is told of those that get one from now on. */
  names?: [name: string, address: string][];
  onName?: (name: string, address: string) => void;
}

/** What is put in the place of what a sandbox may reach. */
export type PolicyChange = Partial<Pick<PolicedSandbox, 'policy' | 'presets' | 'revision' | 'observe' | 'environmentId'>> &
  Pick<SandboxPolicy, 'within'>;

export interface SandboxPolicies {
  /** Has the proxy listen, under the policy and what is granted beside it; safe to repeat. @throws internal @throws network_policy_not_supported */
  open: (sandbox: PolicedSandbox) => Promise<void>;
  /** Puts another policy in its place; what is no longer allowed is cut. Of another environment it has that one's grants, and no others.
   *  Answers null when the sandbox is not up. */
  change: (sandboxId: string, policy: PolicyChange) => Promise<{ closed: number } | null>;
  close: (sandboxId: string) => Promise<void>;
  /** null when the sandbox is not up behind the proxy. */
  livePolicy: (sandboxId: string) => SandboxPolicy | null;
  /** Whether the proxy listens for it, and there: at sockets, or where this carrier connects to. */
  isListening: (sandboxId: string, carried?: CarriedPlace) => boolean;
  /** What it is granted now, and nothing else; false when the sandbox is not up. */
  applyGrants: (sandboxId: string) => Promise<boolean>;
  /** Resolves when what was tried until now has been told. */
  flush: () => Promise<void>;
  /** Bytes that passed for a sandbox since the proxy listens for it; null when it does not. */
  traffic: (sandboxId: string) => Promise<{ sent: number; received: number } | null>;
  stop: () => Promise<void>;
}

export interface SandboxPoliciesDeps {
  registry: Pick<Registry, 'egressGrants'>;
  grantTimes: GrantTimes;
  startProxy: (onName: (sandboxId: string, name: string, address: string) => void) => PolicyProxy;
}

/** Makes the policies of one host; who makes them stops them. */
export const createSandboxPolicies = (deps: SandboxPoliciesDeps): SandboxPolicies => {
  const live = new Map<string, SandboxPolicy & { environmentId: string }>();
  const tokens = new Map<string, string | undefined>();
  const onNames = new Map<string, NonNullable<PolicedSandbox['onName']>>();
  let proxy: PolicyProxy | null = null;
  // Grants are read and put in force in one turn: what was read before one was taken back is never put in force after it.
  const inTurn = createTurns();

  const set = async (sandboxId: string, next: PolicyChange): Promise<{ closed: number } | null> => {
    const known = live.get(sandboxId);
    if (known === undefined || proxy === null) return null;
    const { environmentId, ...policy } = { ...known, ...next };
    // What cannot be read is not granted; rules that close something do so all the same.
    const grants = await activeGrants(deps, sandboxId, environmentId).catch(() => []);
    live.set(sandboxId, { ...policy, grants, environmentId });
    return await proxy.setPolicy(sandboxId, { ...policy, grants });
  };

  const open: SandboxPolicies['open'] = async ({ sandboxId, environmentId, socketFolder, names = [], carried, onName, ...given }) => {
    const { policy, presets, revision, observe = false } = given;
    proxy ??= deps.startProxy((id, name, address) => onNames.get(id)?.(name, address));
    const grants = await activeGrants(deps, sandboxId, environmentId);
    const loaded: SandboxPolicy = { policy, presets, revision, observe, grants };
    if (live.has(sandboxId)) await proxy.close(sandboxId);
    live.set(sandboxId, { ...loaded, environmentId });
    onNames.set(sandboxId, onName ?? (() => undefined));
    tokens.set(sandboxId, carried?.token);
    try {
      await proxy.open({ sandboxId, socketFolder, names, ...loaded, ...(carried === undefined ? {} : { carried }) });
    } catch (thrown) {
      live.delete(sandboxId);
      onNames.delete(sandboxId);
      throw thrown;
    }
  };

  const close = async (sandboxId: string): Promise<void> => {
    if (!live.delete(sandboxId)) return;
    onNames.delete(sandboxId);
    await proxy?.close(sandboxId);
  };

  return {
    open: (sandbox) => inTurn(sandbox.sandboxId, () => open(sandbox)),
    change: (sandboxId, policy) => inTurn(sandboxId, () => set(sandboxId, policy)),
    close: (sandboxId) => inTurn(sandboxId, () => close(sandboxId)),
    isListening: (sandboxId, carried) => live.has(sandboxId) && tokens.get(sandboxId) === carried?.token,
    livePolicy: (sandboxId) => live.get(sandboxId) ?? null,
    applyGrants: (sandboxId) => inTurn(sandboxId, async () => (await set(sandboxId, {})) !== null),
    flush: async () => (proxy?.isAlive() === true ? await proxy.flush() : undefined),
    traffic: async (sandboxId) => (live.has(sandboxId) && proxy?.isAlive() === true ? await proxy.traffic(sandboxId) : null),
    stop: async () => await proxy?.stop(),
  };
};
