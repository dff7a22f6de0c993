// Turns a size into numbers for one runtime: never more than the runtime has.
// Source: SPEC.md 2 (resources).
import { SandlotError } from '../base/errors.ts';
import type { Resources } from '../contract/model.ts';

const gib = 1024 ** 3;

const sizes = { small: { cpus: 1, memory: 2 * gib }, medium: { cpus: 2, memory: 4 * gib } } as const;

export interface Compute {
  cpus: number;
  memoryBytes: number;
}

/** CPUs and bytes of memory. A named size is cut to what is there; custom numbers above it are refused. @throws insufficient_resources */
export const resolveResources = (resources: Resources, has: { cpus: number; memoryBytes: number }): Compute => {
  if (resources.size === 'large') return { cpus: has.cpus, memoryBytes: has.memoryBytes };
  if (resources.size !== 'custom') {
    const { cpus, memory } = sizes[resources.size];
    return { cpus: Math.min(cpus, has.cpus), memoryBytes: Math.min(memory, has.memoryBytes) };
  }
  const cpus = resources.cpus ?? has.cpus;
  const memoryBytes = resources.memory_gib === null ? has.memoryBytes : Math.round(resources.memory_gib * gib);
  if (cpus > has.cpus || memoryBytes > has.memoryBytes) {
    const asked = `${cpus} CPUs and ${(memoryBytes / gib).toFixed(1)} GiB`;
    const there = `${has.cpus} CPUs and ${(has.memoryBytes / gib).toFixed(1)} GiB`;
    throw new SandlotError('insufficient_resources', `The environment asks for ${asked}, but the runtime has ${there}.`, {
      nextAction: `Ask for at most ${there}, or choose size "large": all that the runtime has.`,
    });
  }
  return { cpus, memoryBytes };
};
