// What is wrong with the text of a host pattern, found by looking at its characters and its shape, before it is taken apart.
// Source: NETWORK.md 1.4 and 1.7.
import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import type { PolicyErrorCode } from '../contract/model.ts';

/** Why a text is no host pattern; `suggestion` is what was meant when that is certain. */
export interface HostProblem {
  code: PolicyErrorCode;
  message: string;
  suggestion?: string;
}

type Check = (text: string) => HostProblem | null;

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);

const codePoint = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const strangeCharacter = (code: PolicyErrorCode, pattern: RegExp): Check => {
  return (text) => {
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return null;
    const suggestion = text.trim();
    const isAround = code !== 'host_userinfo' && suggestion !== '' && !pattern.test(suggestion);
    return {
      code,
      message: `Host contains a character that is not allowed: ${codePoint(found)}. Write only the name.`,
      ...(isAround ? { suggestion } : {}),
    };
  };
};

const range: Check = (text) =>
  /^(?:[\d.]+|\[?[0-9a-f:.]*:[0-9a-f:.]*\]?)\/\d+$/i.test(text)
    ? { code: 'cidr_unsupported', message: `Address ranges are not supported in v1; list single addresses instead of ${shown(text)}.` }
    : null;

const hostInUrl = (text: string): string | undefined =>
  /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?([a-z0-9._-]+)(?::\d+)?(?:[/?#\\].*)?$/i.exec(text)?.[1];

const schemeOrPath: Check = (text) => {
  if (!/:\/\/|[/?#\\]/.test(text)) return null;
  const host = hostInUrl(text);
  const advice = host === undefined ? '"api.github.com"' : shown(host);
  return {
    code: 'host_scheme_or_path',
    message: `Use a host name only: ${advice}, not ${shown(text)}.`,
    ...(host === undefined ? {} : { suggestion: host }),
  };
};

const userinfo: Check = (text) =>
  text.includes('@')
    ? { code: 'host_userinfo', message: `A host has no user: leave out everything up to "@" (U+0040) in ${shown(text)}.` }
    : null;

const notAscii: Check = (text) => {
  if (/^[\x21-\x7e]*$/.test(text)) return null;
  const ascii = domainToASCII(text);
  if (ascii === '') return { code: 'host_not_ascii', message: `${shown(text)} is not a valid international name; write a host in ASCII.` };
  return { code: 'host_not_ascii', message: `Write it as ${shown(ascii)} (typed: ${shown(text)}).`, suggestion: ascii };
};

const everything: Check = (text) =>
  text.includes('*') && /^[*.]+(?::\d*)?$/.test(text)
    ? { code: 'wildcard_all', message: 'To allow everything choose Unrestricted ({}); "*" is not a rule.' }
    : null;

const bareIpv6 = (text: string): HostProblem =>
  text.includes('%')
    ? { code: 'ipv6_zone', message: `An IPv6 address has no zone here: leave out "%" and what follows in ${shown(text)}.` }
    : { code: 'ipv6_brackets', message: `Write IPv6 in brackets: ${shown(`[${text}]`)}.`, suggestion: `[${text}]` };

const bracketed: Check = (text) => {
  if (!text.startsWith('[')) return null;
  const inner = /^\[([^\]]*)\]$/.exec(text)?.[1];
  if (inner?.includes('%')) return bareIpv6(inner);
  if (inner !== undefined && isIPv6(inner)) return null;
  const withPort = /^\[[0-9a-f:.]+\]:\d*$/i.test(text);
  return withPort
    ? { code: 'host_port', message: `Put the port of ${shown(text)} in "ports".`, suggestion: text.replace(/:\d*$/, '') }
    : { code: 'ipv6_brackets', message: `Only an IPv6 address stands in brackets: "[2001:db8::1]", not ${shown(text)}.` };
};

const colon: Check = (text) => {
  if (text.startsWith('[') || !text.includes(':')) return null;
  const [bare = ''] = text.split('%');
  if (isIPv6(bare)) return bareIpv6(text);
  const [host = '', port = ''] = text.split(':');
  const example = /^\d+$/.test(port) ? `{"hosts":[${shown(host)}],"ports":[${port}]}` : `{"hosts":[${shown(host)}],"ports":[5432]}`;
  return { code: 'host_port', message: `Put the port in "ports": ${example}.`, ...(host === '' ? {} : { suggestion: host }) };
};

const wildcardPosition: Check = (text) =>
  text.replace(/^\*\.(?=.)/, '').includes('*')
    ? { code: 'wildcard_position', message: `"*" may only be the first label: "*.example.com", not ${shown(text)}.` }
    : null;

// Several may be right; the first says it best.
const checks: Check[] = [
  strangeCharacter('host_control', /[\x00-\x08\x0a-\x1f\x7f]/),
  strangeCharacter('host_whitespace', /\s/),
  range,
  schemeOrPath,
  userinfo,
  notAscii,
  everything,
  bracketed,
  colon,
  wildcardPosition,
];

/** The first thing that is wrong with the characters or the shape of a pattern. */
export const hostProblem = (text: string): HostProblem | null => {
  for (const check of checks) {
    const problem = check(text);
    if (problem !== null) return problem;
  }
  return null;
};
