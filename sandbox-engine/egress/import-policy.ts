// Reads the other documented forms of a network policy into ours, and merges a `limited` one into what was stored from such a form.
// What comes out still goes through checkPolicy. Source: NETWORK.md 1.8; SPEC.md 2 (a limited block merges field by field).
import { isSameJson } from '../base/canonical-json.ts';
import type { NetworkPolicy, NetworkRule } from '../contract/model.ts';
import { isPlainObject } from './plain-object.ts';

/** A limited block with every field filled in. */
interface Limited {
  allowed_hosts: unknown;
  allow_package_managers: boolean;
  allow_mcp_servers: boolean;
}

/** The policy in our form, not checked yet, and where each place in it came from. */
export interface ImportedPolicy {
  policy: unknown;
  /** Turns a pointer into our policy into one into the form that was given. */
  sourcePath: (path: string) => string;
}

const hostsARule = 256;
const generated = {
  allow_package_managers: { action: 'allow', presets: ['package-registries'], note: 'From allow_package_managers' },
  allow_mcp_servers: { action: 'allow', presets: ['mcp-servers'], note: 'From allow_mcp_servers' },
} as const;
type Switch = keyof typeof generated;
const switches = Object.keys(generated) as Switch[];

const plainHosts = (rule: NetworkRule): string[] | null => {
  const keys = Object.keys(rule).filter((key) => key !== 'action' && key !== 'hosts');
  return rule.action === 'allow' && keys.length === 0 ? (rule.hosts ?? null) : null;
};

/** What a stored policy says as a limited block; null when it was written in another way. */
const asLimited = (policy: NetworkPolicy | null): Limited | null => {
  const limited: Limited & { allowed_hosts: string[] } = { allowed_hosts: [], allow_package_managers: false, allow_mcp_servers: false };
  if (policy === null || !('rules' in policy)) return null;
  for (const rule of policy.rules) {
    const hosts = plainHosts(rule);
    const name = switches.find((one) => isSameJson(rule, generated[one]));
    if (hosts !== null) limited.allowed_hosts.push(...hosts);
    else if (name !== undefined) limited[name] = true;
    else return null;
  }
  return limited;
};

const rulesOf = ({ allowed_hosts, ...flags }: Limited): unknown[] => {
  const hosts = Array.isArray(allowed_hosts) ? (allowed_hosts as unknown[]) : [];
  const chunks = Array.from({ length: Math.ceil(hosts.length / hostsARule) }, (_, at) =>
    hosts.slice(at * hostsARule, (at + 1) * hostsARule),
  );
  return [
    ...chunks.map((chunk) => ({ action: 'allow', hosts: chunk })),
    ...switches.filter((name) => flags[name]).map((name) => generated[name]),
  ];
};

/** A field of the block: left out keeps what is stored, null goes back to the default. */
const pick = <Value>(block: Record<string, unknown>, key: string, stored: Value, fallback: Value): unknown => {
  if (!Object.hasOwn(block, key) || block[key] === undefined) return stored;
  return block[key] === null ? fallback : block[key];
};

const isLimited = (block: Record<string, unknown>): boolean => {
  const { type, allowed_hosts, allow_package_managers, allow_mcp_servers, ...strange } = block;
  const flags = [allow_package_managers, allow_mcp_servers];
  return (
    type === 'limited' &&
    Object.keys(strange).length === 0 &&
    (allowed_hosts === undefined || allowed_hosts === null || Array.isArray(allowed_hosts)) &&
    flags.every((flag) => flag === undefined || flag === null || typeof flag === 'boolean')
  );
};

const sourcePath = (path: string): string =>
  path.replace(
    /^\/rules\/(\d+)\/hosts\/(\d+)/,
    (_whole, rule: string, host: string) => `/allowed_hosts/${Number(rule) * hostsARule + Number(host)}`,
  );

/**
 * Reads `{"type":"unrestricted"}` and `{"type":"limited",…}`; anything else comes back as it is, for the check to judge. `stored` is the
 * policy that a limited block is merged into, field by field, when it was written by such a block.
 */
export const importPolicy = (value: unknown, stored: NetworkPolicy | null): ImportedPolicy => {
  const asGiven: ImportedPolicy = { policy: value, sourcePath: (path) => path };
  if (!isPlainObject(value)) return asGiven;
  if (value['type'] === 'unrestricted' && Object.keys(value).length === 1) return { policy: {}, sourcePath: (path) => path };
  if (!isLimited(value)) return asGiven;
  const before: Limited = asLimited(stored) ?? { allowed_hosts: [], allow_package_managers: false, allow_mcp_servers: false };
  const merged: Limited = {
    allowed_hosts: pick(value, 'allowed_hosts', before.allowed_hosts, []),
    allow_package_managers: pick(value, 'allow_package_managers', before.allow_package_managers, false) === true,
    allow_mcp_servers: pick(value, 'allow_mcp_servers', before.allow_mcp_servers, false) === true,
  };
  return { policy: { version: 'v1', rules: rulesOf(merged) }, sourcePath };
};
