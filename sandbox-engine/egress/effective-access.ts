// Everything that a policy opens, rule by rule, presets expanded, computed by the index that decides. Pure.
// Source: NETWORK.md 1.10.
import { counted } from '../base/counted.ts';
import type {
  AccessDenial,
  AccessMark,
  AccessPreset,
  AccessRow,
  EffectiveAccess,
  NetworkPolicy,
  NetworkRule,
  ResolvedPreset,
  ResolvedPresets,
} from '../contract/model.ts';
import { classifyAddress, type OwnAddresses } from './address.ts';
import { covers, overlaps, patternText } from './host-pattern.ts';
import { isSharedHost, isSharedSuffix } from './known-hosts.ts';
import { neverReached } from './never-reached.ts';
import { type CompiledPolicy, compilePolicy } from './policy.ts';
import type { PolicyEntry } from './policy-entries.ts';
import { canUpload, policyWarnings } from './policy-warnings.ts';
import { presetsOf, unresolvedPreset } from './presets.ts';
import { staticPreset } from './static-presets.ts';

const alwaysBlocked = [
  'This computer itself: localhost, loopback and link-local addresses, the names that container runtimes give to it.',
  'Metadata services of clouds.',
  'Addresses that are reserved, shared among many receivers or used for documentation.',
  'Private addresses, unless the rule that decides says "allow_private".',
  "Everything that is not TCP: UDP, QUIC, ICMP; and IPv6 on the sandbox's own side.",
  "The app itself, the runtime's socket and other sandboxes.",
];

/** What stays closed where nothing is restricted. */
const alwaysBlockedOpen = ["The app's own API to whoever has no token for it, and the runtime's socket."];

const notGoverned = [
  'Model calls: they do not leave from the sandbox.',
  'Calls to MCP servers that the app makes.',
  'The tools web_search and web_fetch of an agent.',
  'Builds: they use the ordinary network of the runtime.',
];

type Inspected = AccessRow['ports'][number]['inspected'];

const inspectedOn = ({ protocol }: PolicyEntry, port: number): Inspected => {
  if (protocol === 'tcp') return 'not_inspected';
  if (port === 443) return 'tls_name';
  return port === 80 ? 'http_name' : 'tls_or_http_name';
};

/** An address of this computer of now, which stays closed at every port of the rule. */
const isThisComputer = ({ pattern, ports }: PolicyEntry, own: OwnAddresses | undefined): boolean =>
  own !== undefined &&
  pattern.kind === 'address' &&
  (ports ?? []).every((port) => classifyAddress(patternText(pattern).replace(/^\[|\]$/g, ''), own, port) === 'special');

const marksOf = (entry: PolicyEntry, own: OwnAddresses | undefined): AccessMark[] => {
  const { pattern, ports, protocol, allowPrivate } = entry;
  const isShared = pattern.kind === 'wildcard' ? isSharedSuffix(pattern.key) : isSharedHost(pattern.key);
  return [
    ...(canUpload(entry) ? (['uploads'] as const) : []),
    ...(isShared ? (['shared_host'] as const) : []),
    ...(allowPrivate ? (['private_addresses'] as const) : []),
    ...(protocol === 'auto' && ports?.includes(80) ? (['plain_http'] as const) : []),
    ...(isThisComputer(entry, own) ? (['this_computer'] as const) : []),
  ];
};

const sharePort = (left: PolicyEntry, right: PolicyEntry): boolean =>
  left.ports === null || right.ports === null || left.ports.some((port) => right.ports?.includes(port));

/** Whether an earlier deny rule takes something out of an allow entry, without deciding all of it. */
const cuts = (denial: PolicyEntry, entry: PolicyEntry): boolean =>
  denial.rule < entry.rule && covers(entry.pattern, denial.pattern) && sharePort(denial, entry);

const rowOf = (
  entry: PolicyEntry,
  { index, own }: CompiledPolicy,
  rules: readonly NetworkRule[],
  denials: readonly PolicyEntry[],
): AccessRow => {
  const ports = (entry.ports ?? []).map((port) => {
    const decider = index.first(entry.pattern, port);
    return { port, inspected: inspectedOn(entry, port), decided_by: decider === null || decider.rule === entry.rule ? null : decider.rule };
  });
  return {
    host: patternText(entry.pattern),
    ports,
    rule: entry.rule,
    preset: entry.preset,
    from: entry.from,
    note: rules[entry.rule]?.note ?? null,
    marks: marksOf(entry, own?.()),
    shadowed: ports.every(({ decided_by }) => decided_by !== null),
    cut_by: [...new Set(denials.filter((denial) => cuts(denial, entry)).map(({ rule }) => rule))],
  };
};

/** A pattern that stands twice in one rule is one row. */
const onceEach = (entries: readonly PolicyEntry[]): PolicyEntry[] => {
  const seen = new Set<string>();
  return entries.filter(({ rule, pattern, ports }) => {
    const key = `${rule} ${patternText(pattern)} ${ports?.join(',')}`;
    return seen.has(key) ? false : seen.add(key);
  });
};

const denialsOf = (compiled: CompiledPolicy, rules: readonly NetworkRule[], allowed: readonly PolicyEntry[]): AccessDenial[] => {
  const idle = neverReached(compiled.entries);
  const cutBy = (denial: PolicyEntry): string[] =>
    allowed
      .filter((entry) => denial.rule < entry.rule && overlaps(entry.pattern, denial.pattern) && sharePort(denial, entry))
      .map(({ pattern }) => patternText(pattern));
  return onceEach(compiled.entries.filter(({ action }) => action === 'deny')).map((denial) => ({
    host: patternText(denial.pattern),
    ports: denial.ports === null ? null : [...denial.ports],
    rule: denial.rule,
    note: rules[denial.rule]?.note ?? null,
    cuts: idle.has(denial) ? [] : [...new Set(cutBy(denial))],
    shadowed: idle.has(denial),
  }));
};

const newerThan = (preset: ResolvedPreset): AccessPreset['newer'] => {
  const newest = staticPreset(preset.id);
  if (newest === null || newest.revision === preset.revision) return null;
  const [had, has] = [preset, newest].map(({ hosts }) => hosts.map(({ host }) => host)) as [string[], string[]];
  return {
    revision: newest.revision,
    added: has.filter((host) => !had.includes(host)),
    removed: had.filter((host) => !has.includes(host)),
  };
};

const presetRows = (policy: NetworkPolicy, presets: ResolvedPresets): AccessPreset[] =>
  presetsOf(policy).map((id) => {
    const preset = presets[id] ?? unresolvedPreset(id);
    return { ...preset, hosts: preset.hosts.length, newer: presets[id] === undefined ? null : newerThan(preset) };
  });

const headlineOf = (isOpen: boolean, hosts: number, wildcards: number): string => {
  if (isOpen) return 'Unrestricted';
  if (hosts + wildcards === 0) return 'No access';
  const parts = [...(hosts > 0 ? [counted(hosts, 'host')] : []), ...(wildcards > 0 ? [counted(wildcards, 'wildcard')] : [])];
  return parts.join(' and ');
};

const accessOf = (isOpen: boolean, live: number): EffectiveAccess['access'] => {
  if (isOpen) return 'unrestricted';
  return live === 0 ? 'none' : 'limited';
};

/** The effective access of a stored policy with its presets as they stand; `own` tells what no rule opens. @throws network_policy_not_supported */
export const effectiveAccess = (policy: NetworkPolicy, presets: ResolvedPresets, own?: () => OwnAddresses): EffectiveAccess => {
  const compiled = compilePolicy(policy, presets, own);
  const rules = 'rules' in policy ? policy.rules : [];
  const allowed = onceEach(compiled.entries.filter(({ action }) => action === 'allow'));
  const denied = compiled.entries.filter(({ action }) => action === 'deny');
  const rows = allowed.map((entry) => rowOf(entry, compiled, rules, denied));
  const opens = ({ shadowed, marks }: AccessRow): boolean => !(shadowed || marks.includes('this_computer'));
  const live = new Set(rows.filter(opens).map(({ host }) => host));
  const wildcards = [...live].filter((host) => host.startsWith('*')).length;
  return {
    access: accessOf(compiled.unrestricted, live.size),
    headline: headlineOf(compiled.unrestricted, live.size - wildcards, wildcards),
    hosts: live.size - wildcards,
    wildcards,
    rows,
    denials: denialsOf(compiled, rules, allowed),
    presets: presetRows(policy, presets),
    warnings: policyWarnings(policy, presets),
    always_blocked: compiled.unrestricted ? alwaysBlockedOpen : alwaysBlocked,
    not_governed: notGoverned,
  };
};
