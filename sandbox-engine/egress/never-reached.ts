// Which entries of a policy never decide anything, because what comes before them decides every port of theirs.
import { createEntryIndex, type EntryIndex } from './entry-index.ts';
import type { PolicyEntry } from './policy-entries.ts';

/** The ports that matter to an entry: of an allow rule its own, of a deny rule those that some allow rule speaks of. */
const portsThatMatter = (entry: PolicyEntry, opened: ReadonlySet<number>): number[] => {
  if (entry.action === 'allow') return [...(entry.ports ?? [])];
  return [...opened].filter((port) => entry.ports === null || entry.ports.includes(port));
};

const decidersOf = (entry: PolicyEntry, opened: ReadonlySet<number>, before: EntryIndex): PolicyEntry[] | null => {
  const ports = portsThatMatter(entry, opened);
  const deciders = ports.map((port) => before.first(entry.pattern, port));
  return ports.length > 0 && deciders.every((decider) => decider !== null) ? deciders : null;
};

/** The entries that are never reached, each with those that decide in its place. Exact: a wildcard is only covered by another one. */
export const neverReached = (entries: readonly PolicyEntry[]): Map<PolicyEntry, PolicyEntry[]> => {
  const opened = new Set(entries.filter(({ action }) => action === 'allow').flatMap(({ ports }) => ports ?? []));
  const before = createEntryIndex();
  const found = new Map<PolicyEntry, PolicyEntry[]>();
  for (const entry of entries) {
    const deciders = decidersOf(entry, opened, before);
    if (deciders !== null) found.set(entry, deciders);
    before.add(entry);
  }
  return found;
};
