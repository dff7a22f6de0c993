// What is wrong with the labels of a name whose characters and shape are in order.
// Source: NETWORK.md 1.4; RFC 1035 2.3.1 (labels), RFC 5891 (A-labels), RFC 6761 (special names).
import { domainToASCII, domainToUnicode } from 'node:url';
import { reservedName } from './address.ts';
import type { HostProblem } from './host-problem.ts';

const longestName = 253;
const longestLabel = 63;

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}...` : text);

const inLabel = (label: string, position: string): string | null => {
  if (label === '') return `${position} is empty`;
  if (label.length > longestLabel) return `${position} has ${label.length} characters; at most ${longestLabel} are allowed`;
  if (label.startsWith('-') || label.endsWith('-')) return `${position} begins or ends with a hyphen`;
  const strange = /[^a-z0-9_-]/.exec(label)?.[0];
  return strange === undefined ? null : `${position} contains ${JSON.stringify(strange)}; write each host as an entry of its own`;
};

/** An empty, too long or oddly spelt label, or a name that is too long. */
const spelling = (name: string): HostProblem | null => {
  for (const [index, label] of name.split('.').entries()) {
    const found = inLabel(label, `Label ${index + 1} of "${shorten(name)}"`);
    if (found !== null) return { code: 'host_label', message: `${found}.` };
  }
  if (name.length <= longestName) return null;
  return { code: 'host_length', message: `The host has ${name.length} characters; at most ${longestName} are allowed.` };
};

const numeric = (name: string): HostProblem | null =>
  /(?:^|\.)(?:[0-9]+|0x[^.]*)$/.test(name)
    ? { code: 'host_looks_like_ip', message: `"${shorten(name)}" looks like an IP address. Write IPv4 as four decimal numbers.` }
    : null;

const international = (name: string): HostProblem | null => {
  const odd = name.split('.').find((label) => label.startsWith('xn--') && domainToASCII(domainToUnicode(label)) !== label);
  return odd === undefined ? null : { code: 'host_punycode_invalid', message: `"${odd}" is not a valid international name.` };
};

const oneLabel = (name: string): HostProblem | null => {
  if (name.includes('.') || name === 'localhost' || name === 'instance-data') return null;
  return { code: 'host_needs_dot', message: `"${name}" has no domain. Internal single-label names are not supported.` };
};

const reserved = (name: string): HostProblem | null => {
  if (!reservedName(name)) return null;
  const what =
    name.startsWith('metadata') || name === 'instance-data'
      ? "is a cloud's metadata service"
      : 'always points at this computer or its neighbours';
  return { code: 'name_reserved', message: `"${name}" ${what} and cannot be allowed.` };
};

/** The first thing that is wrong with a lower-case name without a final dot. A single label is left to the caller when it stands behind `*.`. */
export const labelProblem = (name: string, isBehindWildcard: boolean): HostProblem | null =>
  spelling(name) ?? numeric(name) ?? international(name) ?? (isBehindWildcard ? null : (oneLabel(name) ?? reserved(name)));

/** The same for the name behind `*.` alone: everything below it is reserved. */
export const reservedProblem = reserved;
