// Every save-time error about a host, with rows just inside and just outside. Source: NETWORK.md 1.4, 1.7 and corpus K.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPolicy } from '../../../sandbox-engine/egress/check-policy.ts';
import { readHost } from '../../../sandbox-engine/egress/destination.ts';
import { at, saved } from './saved-host.ts';

const tail = (length: number) => `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(length)}`;

describe('an exact name', () => {
  test.each<[string, string]>([
    ['example.com', 'example.com'],
    ['Example.COM.', 'example.com'],
    ['a_b.example.com', 'a_b.example.com'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['1.example.com', '1.example.com'],
    ['example.1a', 'example.1a'],
    ['x.corp.internal', 'x.corp.internal'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['XN--MNCHEN-3YA.example', 'xn--mnchen-3ya.example'],
    ['xn--strae-oqa.example', 'xn--strae-oqa.example'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
    [tail(61), tail(61)],
    [`${tail(61)}.`, tail(61)],
    [tail(62), at('host_length')],
    [`${'a'.repeat(64)}.com`, at('host_label')],
    ['', at('host_label')],
    ['.', at('host_label')],
    ['..', at('host_label')],
    ['.example.com', at('host_label')],
    ['a..b.com', at('host_label')],
    ['example.com..', at('host_label')],
    ['-a.example.com', at('host_label')],
    ['a-.example.com', at('host_label')],
    ['a-b.example.com', 'a-b.example.com'],
    ['a!b.example.com', at('host_label')],
    ['a.com,b.com', at('host_label')],
    ['%61.example.com', at('host_label')],
  ])('%j is %s', (host, expected) => {
    expect(saved(host)).toBe(expected);
  });

  test.each<[string, string]>([
    ['https://x.com', 'host_scheme_or_path'],
    ['https://api.github.com/repos', 'host_scheme_or_path'],
    ['x.com/y', 'host_scheme_or_path'],
    ['x.com/', 'host_scheme_or_path'],
    ['x.com?z', 'host_scheme_or_path'],
    ['x.com#z', 'host_scheme_or_path'],
    ['x.com\\y', 'host_scheme_or_path'],
    ['//x.com', 'host_scheme_or_path'],
    ['x.com:443', 'host_port'],
    ['*.x.com:8443', 'host_port'],
    ['x.com:', 'host_port'],
    ['x.com:https', 'host_port'],
    ['[2606:4700::1]:443', 'host_port'],
    ['u@x.com', 'host_userinfo'],
    ['u:p@x.com', 'host_userinfo'],
    [' x.com', 'host_whitespace'],
    ['x.com ', 'host_whitespace'],
    ['x.com\t', 'host_whitespace'],
    ['x .com', 'host_whitespace'],
    ['x.com\u00a0', 'host_whitespace'],
    ['x.com\u3000', 'host_whitespace'],
    ['x.com\n', 'host_control'],
    ['x\0.com', 'host_control'],
    ['x.com\u007f', 'host_control'],
    ['x.com\u001b', 'host_control'],
    ['münchen.example', 'host_not_ascii'],
    ['pаypal.com', 'host_not_ascii'],
    ['ａllowed.test', 'host_not_ascii'],
    ['allowed。test', 'host_not_ascii'],
    ['allo\u00adwed.test', 'host_not_ascii'],
    ['allo\u200bwed.test', 'host_not_ascii'],
    ['①②⑦.0.0.1', 'host_not_ascii'],
    ['xn--a.example', 'host_punycode_invalid'],
    ['xn--.example', 'host_label'],
    ['xn--zzzzzzzz99.example', 'host_punycode_invalid'],
    ['xn--abc-.example', 'host_label'],
    ['a.xn--1ug.example', 'host_punycode_invalid'],
    ['registry', 'host_needs_dot'],
    ['db', 'host_needs_dot'],
    ['db.', 'host_needs_dot'],
    ['localhost', 'name_reserved'],
    ['LOCALHOST.', 'name_reserved'],
    ['x.localhost', 'name_reserved'],
    ['printer.local', 'name_reserved'],
    ['host.docker.internal', 'name_reserved'],
    ['gateway.docker.internal', 'name_reserved'],
    ['http.docker.internal', 'name_reserved'],
    ['kubernetes.docker.internal', 'name_reserved'],
    ['host.containers.internal', 'name_reserved'],
    ['metadata.google.internal', 'name_reserved'],
    ['metadata.goog', 'name_reserved'],
    ['instance-data', 'name_reserved'],
  ])('%j is %s', (host, code) => {
    expect(saved(host)).toBe(at(code));
  });
});

test('to deny what can never be allowed is idle, not wrong; the spelling counts all the same', () => {
  const deny = (hosts: string[]) => {
    const checked = checkPolicy({ version: 'v1', rules: [{ action: 'deny', hosts }] });
    return checked.ok ? checked.policy : checked.errors.map(({ code }) => code);
  };
  const hosts = ['127.0.0.1', '10.0.0.1', '169.254.169.254', 'localhost.', '*.x.localhost', 'Secret.example.com'];
  expect(deny(hosts)).toEqual({
    version: 'v1',
    rules: [{ action: 'deny', hosts: ['127.0.0.1', '10.0.0.1', '169.254.169.254', 'localhost', '*.x.localhost', 'secret.example.com'] }],
  });
  expect(deny(['*', 'db', 'x.com:443', '*.com'])).toEqual(['wildcard_all', 'host_needs_dot', 'host_port', 'wildcard_public_suffix']);
});

test.each<[string, string, string | undefined]>([
  ['https://api.github.com/repos', 'Use a host name only: "api.github.com", not "https://api.github.com/repos".', 'api.github.com'],
  ['db.example.com:5432', 'Put the port in "ports": {"hosts":["db.example.com"],"ports":[5432]}.', 'db.example.com'],
  ['x\0.com', 'Host contains a character that is not allowed: U+0000. Write only the name.', undefined],
  [' x.com', 'Host contains a character that is not allowed: U+0020. Write only the name.', 'x.com'],
  ['münchen.example', 'Write it as "xn--mnchen-3ya.example" (typed: "münchen.example").', 'xn--mnchen-3ya.example'],
  ['pаypal.com', 'Write it as "xn--pypal-4ve.com" (typed: "pаypal.com").', 'xn--pypal-4ve.com'],
  ['xn--a.example', '"xn--a" is not a valid international name.', undefined],
  ['a..b.com', 'Label 2 of "a..b.com" is empty.', undefined],
  ['registry', '"registry" has no domain. Internal single-label names are not supported.', undefined],
  ['0x7f.1', '"0x7f.1" looks like an IP address. Write IPv4 as four decimal numbers.', undefined],
  ['10.0.0.0/8', 'Address ranges are not supported in v1; list single addresses instead of "10.0.0.0/8".', undefined],
  ['2001:db8::1', 'Write IPv6 in brackets: "[2001:db8::1]".', '[2001:db8::1]'],
  ['host.docker.internal', '"host.docker.internal" always points at this computer or its neighbours and cannot be allowed.', undefined],
  ['*', 'To allow everything choose Unrestricted ({}); "*" is not a rule.', undefined],
  ['a*.com', '"*" may only be the first label: "*.example.com", not "a*.com".', undefined],
  ['*.co.uk', '"*.co.uk" would allow every .co.uk domain.', undefined],
])('%j says what to write', (host, message, suggestion) => {
  const checked = checkPolicy({ version: 'v1', rules: [{ action: 'allow', hosts: [host] }] });
  expect(checked.ok ? null : checked.errors[0]).toMatchObject({ message, ...(suggestion === undefined ? {} : { suggestion }) });
  expect(checked.ok ? null : checked.errors[0]?.suggestion).toBe(suggestion);
});

test('a host that is saved is one that the wire reads as the very same text, and saving it again changes nothing', () => {
  const label = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
  const odd = fc.constantFrom(
    '',
    '*',
    'xn--a',
    'XN--MNCHEN-3YA',
    '0x7f',
    '127',
    '[',
    ']',
    ':',
    '%',
    '@',
    ' ',
    'ü',
    '\u0000',
    '-a',
    'localhost',
  );
  const host = fc.array(fc.oneof({ weight: 5, arbitrary: label }, odd), { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'));
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        host,
        fc.string({ maxLength: 40 }),
        fc.ipV4(),
        fc.ipV6().map((ip) => `[${ip}]`),
      ),
      (text) => {
        const checked = checkPolicy({ version: 'v1', rules: [{ action: 'allow', hosts: [text], ports: [443], allow_private: true }] });
        if (!checked.ok) return;
        accepted += 1;
        const [stored = ''] = (checked.policy as { rules: { hosts: string[] }[] }).rules[0]?.hosts ?? [];
        const read = readHost(stored.replace(/^\*\./, ''));
        expect(read.ok && read.host).toBe(stored.replace(/^\*\./, ''));
        expect(saved(stored, { ports: [443], allow_private: true })).toBe(stored);
      },
    ),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(200);
});
