// Finds the first rule that decides a host and a port, in a few look-ups however many rules there are.
// Source: NETWORK.md 1.2: rules in order, the first whose host and port match decides; order decides, never how narrow a rule is.
import type { HostPattern } from './host-pattern.ts';
import { parentsOf } from './host-pattern.ts';
import type { PolicyEntry } from './policy-entries.ts';

/** The first entry for each port of one pattern, and the first one for every port. */
interface PortTable {
  byPort: Map<number, PolicyEntry>;
  everyPort: PolicyEntry | null;
}

export interface EntryIndex {
  /** Adds an entry; entries come in the order of their rules. */
  add: (entry: PolicyEntry) => void;
  /** The first entry that covers the pattern on this port; for a name or an address: the one that decides it. */
  first: (pattern: HostPattern, port: number) => PolicyEntry | null;
  /** Every entry that covers the pattern, on whatever port. */
  all: (pattern: HostPattern) => PolicyEntry[];
}

const earlier = (left: PolicyEntry | null, right: PolicyEntry | null): PolicyEntry | null => {
  if (left === null || right === null) return left ?? right;
  return right.rule < left.rule ? right : left;
};

const put = (table: PortTable, entry: PolicyEntry): void => {
  if (entry.ports === null) table.everyPort ??= entry;
  for (const port of entry.ports ?? []) if (!table.byPort.has(port)) table.byPort.set(port, entry);
};

/** Makes an empty index. */
export const createEntryIndex = (): EntryIndex => {
  const exact = new Map<string, PortTable>();
  const wild = new Map<string, PortTable>();

  const tablesFor = ({ kind, key }: HostPattern): PortTable[] => {
    const own = kind === 'wildcard' ? wild.get(key) : exact.get(key);
    const above = kind === 'address' ? [] : parentsOf(key).map((parent) => wild.get(parent));
    return [own, ...above].filter((table) => table !== undefined);
  };

  return {
    add: (entry) => {
      const tables = entry.pattern.kind === 'wildcard' ? wild : exact;
      const table = tables.get(entry.pattern.key) ?? { byPort: new Map<number, PolicyEntry>(), everyPort: null };
      tables.set(entry.pattern.key, table);
      put(table, entry);
    },
    first: (pattern, port) =>
      tablesFor(pattern).reduce<PolicyEntry | null>(
        (found, { byPort, everyPort }) => earlier(found, earlier(byPort.get(port) ?? null, everyPort)),
        null,
      ),
    all: (pattern) =>
      tablesFor(pattern).flatMap(({ byPort, everyPort }) => [...new Set([...byPort.values(), ...(everyPort === null ? [] : [everyPort])])]),
  };
};
