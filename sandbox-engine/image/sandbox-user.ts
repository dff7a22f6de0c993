// The sandbox user's number in a base: a runtime that must know that an image does not run as root cannot tell it from a name.
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import type { Build } from '../contract/model.ts';
import { readSandboxUserId } from '../recipe/runtime-layer.ts';
import { lookInto } from './look-into.ts';

interface SandboxUserDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  makeLabels: MakeLabels;
}

/** Answers the number in the base image of a build; null where it has none. */
export type ReadSandboxUser = (build: Build, baseImageId: string) => Promise<number | null>;

/** Makes the reader, which looks into each image once: what an image holds never changes. */
export const createSandboxUsers = ({ runtimeOf, makeLabels }: SandboxUserDeps): ReadSandboxUser => {
  const known = new Map<string, number | null>();
  return async ({ id, runtime }, imageId) => {
    const there = known.get(imageId);
    if (there !== undefined) return there;
    const place = { imageId, name: `sandlot-user-${id.replace('_', '-')}`, labels: makeLabels('probe', { build: id }) };
    const user = await lookInto(runtimeOf(runtime), place, async (read) => readSandboxUserId((await read('/etc/passwd')) ?? ''));
    known.set(imageId, user);
    return user;
  };
};
