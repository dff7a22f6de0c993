// Names the runtimes of this machine: short, unique, and the same every time.
import type { Candidate } from './discover.ts';

/** Gives each place its id: the kind for the first of a kind, then its name. An id stays with its address for as long as we live. */
export const createIdOf = (): ((candidate: Candidate) => string) => {
  const ids = new Map<string, string>();
  return (candidate) => {
    const key = candidate.address || candidate.source;
    const known = ids.get(key);
    if (known !== undefined) return known;
    const taken = new Set(ids.values());
    const names = [candidate.kind, candidate.name, ...Array.from({ length: 50 }, (_, index) => `${candidate.name}-${index + 2}`)];
    const safe = names.map((name) => name.toLowerCase().replace(/[^a-z0-9_.-]+/g, '-'));
    const id = safe.find((name) => !taken.has(name)) ?? key;
    ids.set(key, id);
    return id;
  };
};
