// A house of real gates whose sandboxes are listened to by the policy proxy of a world: what a program in a sandbox does goes through a
// real gate to the real proxy, and only the public network beyond it is the test's own.
import type { NetworkPolicy } from '../../sandbox-engine/contract/model/network.ts';
import type { SandboxPolicy } from '../../sandbox-engine/egress/loaded-policy.ts';
import { openGateHouse } from '../runtime/support/gate-house.ts';
import { buildWorld, type WorldOptions } from './world.ts';

export interface WorldSandbox {
  /** The sandbox's own id, under which the world's proxy knows it. */
  sandboxId: string;
  containerId: string;
  gateId: string;
  socketFolder: string;
}

export type WorldHouse = Awaited<ReturnType<typeof openWorldHouse>>;

interface WorldHouseOptions extends WorldOptions {
  kind: 'docker' | 'podman';
  socket: string;
  /** Of the sandboxes; the plain test image when absent. */
  image?: string;
}

/** Opens the house and its world. Who opens them closes them. */
export const openWorldHouse = async ({ kind, socket, image, limits, answers }: WorldHouseOptions) => {
  const world = await buildWorld({ limits: { tellMs: 10, resolveMs: 1_000, ...limits }, ...(answers === undefined ? {} : { answers }) });
  const house = await openGateHouse({ kind, socket, ...(image === undefined ? {} : { image }) });
  await house.gates.ensureImage('test', new AbortController().signal, () => undefined);
  return {
    ...house,
    kind,
    world,
    /** A sandbox behind its gate under a policy, P1 when none is given. */
    openWorldSandbox: async (policy?: NetworkPolicy, more: Partial<SandboxPolicy> = {}): Promise<WorldSandbox> => {
      const sandboxId = house.newSandboxId();
      let socketFolder = '';
      const opened = await house.openBehind(
        {
          listen: async (folder) => {
            socketFolder = folder;
            await world.openSandbox(sandboxId, policy, more, folder);
          },
        },
        sandboxId,
      );
      return { sandboxId, socketFolder, containerId: opened.containerId, gateId: opened.gateId };
    },
    closeAll: async () => {
      await house.removeAll();
      await world.close();
    },
  };
};
