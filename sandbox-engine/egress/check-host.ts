// Checks one host pattern of a rule and answers its one spelling. A pattern that is saved is one that the wire can meet.
// Source: NETWORK.md 1.1, 1.3, 1.4 and 1.7.
import { classifyAddress } from './address.ts';
import { readHost } from './destination.ts';
import { type HostProblem, hostProblem } from './host-problem.ts';
import { labelProblem, reservedProblem } from './label-problem.ts';
import { publicSuffixKind } from './public-suffix.ts';

/** What of the rule matters to its hosts. */
export interface RuleContext {
  isAllow: boolean;
  hasPorts: boolean;
  isTcp: boolean;
  allowsPrivate: boolean;
}

type Checked = { ok: true; host: string } | { ok: false; problems: HostProblem[] };

const refuse = (...problems: HostProblem[]): Checked => ({ ok: false, problems });

const neverWhy = (address: string): string => {
  if (/^(?:127\.|\[::1\]$)/.test(address)) return 'this computer itself';
  if (/^(?:169\.254\.|\[fe80:|168\.63\.129\.16$|100\.100\.100\.200$|\[fd00:ec2:)/.test(address)) return 'link-local or metadata';
  return 'a special range of addresses';
};

const addressProblems = (address: string, rule: RuleContext): HostProblem[] => {
  if (!rule.isAllow) return [];
  const problems: HostProblem[] = [];
  const addressClass = classifyAddress(address.replace(/^\[|\]$/g, ''));
  if (addressClass === 'special')
    problems.push({ code: 'address_never', message: `${address} can never be allowed (${neverWhy(address)}).` });
  if (addressClass === 'private' && !rule.allowsPrivate)
    problems.push({ code: 'address_private', message: `${address} is a private address; set "allow_private": true.` });
  if (!rule.hasPorts)
    problems.push({ code: 'ip_needs_ports', message: `An address needs explicit ports: add "ports" to the rule of ${address}.` });
  return problems;
};

const wildcardProblems = (suffix: string, rule: RuleContext): HostProblem[] => {
  const problems: HostProblem[] = [];
  if (!suffix.includes('.') || publicSuffixKind(suffix) === 'icann') {
    const verb = rule.isAllow ? 'allow' : 'block';
    problems.push({ code: 'wildcard_public_suffix', message: `"*.${suffix}" would ${verb} every .${suffix} domain.` });
  } else {
    const reserved = rule.isAllow ? reservedProblem(suffix) : null;
    if (reserved !== null) problems.push(reserved);
  }
  if (rule.isTcp) problems.push({ code: 'wildcard_tcp', message: `tcp rules need an exact host, not "*.${suffix}".` });
  return problems;
};

const checkName = (name: string, isWildcard: boolean, rule: RuleContext): Checked => {
  const problem = labelProblem(name, isWildcard);
  // To deny what can never be allowed is idle, not wrong.
  if (problem !== null && (rule.isAllow || problem.code !== 'name_reserved')) return refuse(problem);
  const problems = isWildcard ? wildcardProblems(name, rule) : [];
  return problems.length > 0 ? refuse(...problems) : { ok: true, host: isWildcard ? `*.${name}` : name };
};

/** Answers the canonical pattern (lower case, no final dot, one spelling of an address), or everything that is wrong with it. */
export const checkHost = (text: string, rule: RuleContext): Checked => {
  const problem = hostProblem(text);
  if (problem !== null) return refuse(problem);
  const isWildcard = text.startsWith('*.');
  const rest = isWildcard ? text.slice(2) : text;
  const read = readHost(rest);
  if (read.ok && read.kind !== 'name') {
    if (isWildcard) return refuse({ code: 'wildcard_position', message: `"*" stands before a name, not before an address: "${text}".` });
    const problems = addressProblems(read.host, rule);
    return problems.length > 0 ? refuse(...problems) : { ok: true, host: read.host };
  }
  const name = (rest.endsWith('.') && rest.length > 1 ? rest.slice(0, -1) : rest).toLowerCase();
  return checkName(name, isWildcard, rule);
};
