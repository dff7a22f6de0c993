// A pattern of a rule in its one spelling: an exact name, `*.` and a name, or an address; and which patterns it covers.
// Source: NETWORK.md 1.2 (matching) and 1.4 (canonical host).
import { readHost } from './destination.ts';

/** `key` is what is compared: the name, the name behind `*.`, or the address. */
export interface HostPattern {
  kind: 'name' | 'wildcard' | 'address';
  key: string;
}

/** Reads a pattern that was checked before; null when it is none after all. */
export const readPattern = (text: string): HostPattern | null => {
  const isWildcard = text.startsWith('*.');
  const read = readHost(isWildcard ? text.slice(2) : text);
  if (!read.ok) return null;
  if (read.kind === 'name') return { kind: isWildcard ? 'wildcard' : 'name', key: read.host };
  return isWildcard ? null : { kind: 'address', key: read.host };
};

/** The pattern as it is written. */
export const patternText = ({ kind, key }: HostPattern): string => (kind === 'wildcard' ? `*.${key}` : key);

/** The names above a name, nearest first: `b.c`, `c` for `a.b.c`. */
export const parentsOf = (name: string): string[] => {
  const parents: string[] = [];
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) parents.push(name.slice(dot + 1));
  return parents;
};

/** Whether every host that `inner` means is meant by `outer` too. A wildcard means no address, and not the name behind it. */
export const covers = (outer: HostPattern, inner: HostPattern): boolean => {
  if (outer.kind !== 'wildcard') return inner.kind === outer.kind && inner.key === outer.key;
  if (inner.kind === 'address') return false;
  return inner.key.endsWith(`.${outer.key}`) || (inner.kind === 'wildcard' && inner.key === outer.key);
};

/** Whether some host is meant by both. */
export const overlaps = (left: HostPattern, right: HostPattern): boolean => covers(left, right) || covers(right, left);
