// A house of real gates whose sandboxes are listened to by the policy proxy of a world: what a program in a sandbox does goes through a
// real gate to the real proxy, and only the public network beyond it is the test's own.
import type { NetworkPolicy } from '../../sandbox-engine/contract/model/network.ts';
import type { SandboxPolicy } from '../../sandbox-engine/egress/loaded-policy.ts';
import type { GateWay } from '../../sandbox-engine/gate/gate-ways.ts';
import { openGateHouse } from '../runtime/support/gate-house.ts';
import { buildWorld, type OpenMore, type WorldOptions } from './world.ts';
import { policyP1 } from './world-policy.ts';

export interface WorldSandbox {
  /** The sandbox's own id, under which the world's proxy knows it. */
  sandboxId: string;
  containerId: string;
  gateId: string;
  socketFolder: string;
  /** Where its carrier finds the proxy; nothing where it has none. */
  at: OpenMore;
}

export type WorldHouse = Awaited<ReturnType<typeof openWorldHouse>>;

interface WorldHouseOptions extends WorldOptions {
  kind: 'docker' | 'podman';
  socket: string;
  /** Of the sandboxes; the plain test image when absent. */
  image?: string;
  /** Over which way the gates reach the host. */
  forcedWay?: GateWay;
}

/** Opens the house and its world. Who opens them closes them. */
export const openWorldHouse = async ({ kind, socket, image, forcedWay, limits, answers }: WorldHouseOptions) => {
  const world = await buildWorld({ limits: { tellMs: 10, resolveMs: 1_000, ...limits }, ...(answers === undefined ? {} : { answers }) });
  const given = { ...(image === undefined ? {} : { image }), ...(forcedWay === undefined ? {} : { forcedWay }) };
  const house = await openGateHouse({ kind, socket, ...given });
  await house.gates.ensureImage('test', new AbortController().signal, () => undefined);
  return {
    ...house,
    kind,
    world,
    /** P1. */
    policy: policyP1,
    /** A sandbox behind its gate under a policy, P1 when none is given. */
    openWorldSandbox: async (policy?: NetworkPolicy, more: Partial<SandboxPolicy> = {}): Promise<WorldSandbox> => {
      const sandboxId = house.newSandboxId();
      let socketFolder = '';
      let at: OpenMore = {};
      const opened = await house.openBehind(
        {
          listen: async (folder, carried) => {
            socketFolder = folder;
            at = carried === undefined ? {} : { carried };
            await world.openSandbox(sandboxId, policy, { ...more, ...at }, folder);
          },
        },
        sandboxId,
      );
      return { sandboxId, socketFolder, at, containerId: opened.containerId, gateId: opened.gateId };
    },
    closeAll: async () => {
      await house.removeAll();
      await world.close();
    },
  };
};
