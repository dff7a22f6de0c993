// The doors of all sandboxes, by id. What is asked about one sandbox happens one after the other.
import { SandlotError } from '../base/errors.ts';
import type { Traffic } from './connection.ts';
import { type DoorOptions, openSandboxDoor, type SandboxDoor } from './sandbox-door.ts';
import type { Call } from './worker-messages.ts';

export interface SandboxDoors {
  /** Answers how many connections were closed because the policy no longer allows them. @throws not_found @throws internal */
  run: (call: Call) => Promise<number>;
  /** null for one that is not open. */
  traffic: (sandboxId: string) => Traffic | null;
  closeAll: () => Promise<void>;
}

const sandboxOf = (call: Call): string => (call.kind === 'open' ? call.sandbox.sandboxId : call.sandboxId);

/** Makes the set of doors, none of them open. */
export const createSandboxDoors = (options: DoorOptions): SandboxDoors => {
  const doors = new Map<string, SandboxDoor>();
  const lanes = new Map<string, Promise<unknown>>();

  const closeDoor = async (sandboxId: string): Promise<void> => {
    const door = doors.get(sandboxId);
    doors.delete(sandboxId);
    await door?.close();
  };

  const carryOut = async (call: Call): Promise<number> => {
    const sandboxId = sandboxOf(call);
    if (call.kind !== 'set_policy') await closeDoor(sandboxId);
    if (call.kind === 'open') doors.set(sandboxId, await openSandboxDoor(call.sandbox, options));
    if (call.kind !== 'set_policy') return 0;
    const door = doors.get(sandboxId);
    if (door === undefined) throw new SandlotError('not_found', `The proxy has no sandbox ${sandboxId}.`);
    try {
      return door.setPolicy(call.policy);
    } catch (thrown) {
      await closeDoor(sandboxId); // A policy that cannot be read opens nothing.
      throw thrown;
    }
  };

  return {
    run: async (call) => {
      const sandboxId = sandboxOf(call);
      const before = lanes.get(sandboxId) ?? Promise.resolve();
      const done = before.catch(() => undefined).then(() => carryOut(call));
      lanes.set(sandboxId, done);
      try {
        return await done;
      } finally {
        if (lanes.get(sandboxId) === done) lanes.delete(sandboxId);
      }
    },
    traffic: (sandboxId) => doors.get(sandboxId)?.traffic() ?? null,
    closeAll: async () => {
      await Promise.all([...doors.keys()].map(closeDoor));
    },
  };
};
