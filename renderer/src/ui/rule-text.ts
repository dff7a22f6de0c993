// A network rule in one line, as it is spoken of in lists and previews.
import type { NetworkPolicy, NetworkRule } from '../../../sandbox-engine/contract/model.ts';

const portsText = ({ action, ports }: NetworkRule): string => {
  if (ports !== undefined) return ports.length === 1 ? `port ${ports[0]}` : `ports ${ports.join(', ')}`;
  return action === 'allow' ? 'ports 443 and 80' : 'every port';
};

/** `allow a.example, b.example · port 443 · bytes not looked at`. */
export const ruleText = (rule: NetworkRule): string => {
  const { action, hosts = [], presets = [], protocol, allow_private } = rule;
  const what = [...hosts, ...presets.map((preset) => `preset ${preset}`)].join(', ') || 'nothing yet';
  return [
    `${action} ${what}`,
    ...(hosts.length > 0 ? [portsText(rule)] : []),
    ...(protocol === 'tcp' ? ['bytes not looked at'] : []),
    ...(allow_private ? ['private addresses too'] : []),
  ].join(' · ');
};

/** Where a rule would stand, in words. */
export const placeText = (policy: NetworkPolicy, at: number): string => {
  const before = 'rules' in policy ? policy.rules[at] : undefined;
  if (before === undefined) return `as rule ${at + 1}, the last`;
  return `as rule ${at + 1}, before “${ruleText(before)}”`;
};
