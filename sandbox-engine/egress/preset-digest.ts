// One short text for one set of hosts: the revision of presets that are no dated data.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import type { PresetHost } from '../contract/model.ts';

/** The same hosts on the same ports give the same text, in whatever order. */
export const digestOf = (hosts: readonly PresetHost[]): string => {
  const lines = hosts.map(({ host, ports }) => canonicalJson({ host, ports: [...ports].sort((left, right) => left - right) })).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12);
};
