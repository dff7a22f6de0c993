// Names, spelled in every way. Source: NETWORK.md 2, A.
import { policyP1 } from '../world-policy.ts';
import { bothWays, connectTo, get, type Row, through, tls } from './row.ts';

const malformed = 'malformed_request -';
const toPlain = { name: 'plain.test', port: 80 };

/** The same odd host as the target of CONNECT and as a Host header. */
const oddHost = (id: string, what: string, host: string): Row[] => [
  { id, what: `${what} in CONNECT`, to: 'proxy', send: [connectTo(`${host}:443`, 'allowed.test')], back: ['400'], log: [malformed] },
  { id, what: `${what} in Host`, to: toPlain, send: [get('/', host)], back: ['400'], log: ['malformed_request plain.test:80'] },
];

const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const swapped = (): typeof policyP1 => {
  if (!('rules' in policyP1)) throw new Error('P1 has rules.');
  const [deny, allow, ...others] = policyP1.rules;
  return { version: 'v1', rules: [allow, deny, ...others].filter((rule) => rule !== undefined) };
};

const apexOnly = () => ({ version: 'v1' as const, rules: [{ action: 'allow' as const, hosts: ['*.allowed.test'] }] });

export const nameRows: Row[] = [
  ...bothWays('A01', 'TLS to an allowed name', 'allowed.test', { log: ['allowed allowed.test:443'] }),
  {
    id: 'A01',
    what: 'HTTP straight',
    to: toPlain,
    send: [get('/', 'plain.test')],
    back: ['200', 'http:plain.test'],
    log: ['allowed plain.test:80'],
  },
  {
    ...{ id: 'A01', what: 'HTTP by the proxy', to: 'proxy', send: [get('http://plain.test/', 'plain.test')] },
    ...{ back: ['200', 'http:plain.test'], log: ['allowed plain.test:80'] },
  },
  ...bothWays('A02', 'two labels under a wildcard', 'a.b.allowed.test', { log: ['allowed a.b.allowed.test:443'] }),
  ...bothWays('A02', 'the name of a wildcard itself', 'allowed.test', { policy: apexOnly, log: ['no_rule allowed.test:443'] }),
  ...bothWays('A03', 'a name that only ends in the same letters', 'evil-allowed.test', { log: ['no_rule evil-allowed.test:443'] }),
  ...bothWays('A03', 'another one without a hyphen', 'notallowed.test', { log: ['no_rule notallowed.test:443'] }),
  ...bothWays('A04', 'an allowed name as the first labels', 'allowed.test.evil.test', { log: ['no_rule allowed.test.evil.test:443'] }),
  ...bothWays('A05', 'a final dot', 'allowed.test.', { log: ['allowed allowed.test:443'] }),
  {
    id: 'A05',
    what: 'a final dot in Host',
    to: toPlain,
    send: [get('/', 'plain.test.')],
    back: ['200', 'http:plain.test'],
    log: ['allowed plain.test:80'],
  },
  ...bothWays('A07', 'capital letters', 'ALLOWED.TeSt', { log: ['allowed allowed.test:443'] }),
  ...['.allowed.test', '-a.allowed.test', 'a-.allowed.test'].flatMap((host) => oddHost('A08', `the odd label of ${host}`, host)),
  ...oddHost('A09', 'an empty label', 'a..allowed.test'),
  ...oddHost('A10', 'a label of 64', `${'a'.repeat(64)}.allowed.test`),
  ...oddHost('A10', 'a name of 254', `${'a.'.repeat(120)}x.allowed.test`),
  {
    ...{ id: 'A10', what: 'a name of 60,000 in CONNECT', to: 'proxy', send: [connectTo(`${'a'.repeat(60_000)}:443`, 'allowed.test')] },
    ...{ back: ['414'], log: ['limit_exceeded -'] },
  },
  {
    ...{ id: 'A10', what: 'a name of 60,000 in Host', to: toPlain, send: [get('/', 'a'.repeat(60_000))] },
    ...{ back: ['431'], log: ['limit_exceeded plain.test:80'] },
  },
  ...bothWays('A11', 'an underscore', 'a_b.allowed.test', { log: ['allowed a_b.allowed.test:443'] }),
  ...oddHost('A12', 'a full-width letter', utf8('ａllowed.test')),
  ...oddHost('A13', 'an ideographic dot', utf8('allowed。test')),
  ...oddHost('A15', 'a zero byte', 'evil.test\0.allowed.test').map((row) => ({
    ...row,
    log: [row.to === 'proxy' ? malformed : (row.log[0] ?? '')],
  })),
  ...bothWays('A17', 'an A-label in capitals', 'XN--MNCHEN-3YA.allowed.test', { log: ['allowed xn--mnchen-3ya.allowed.test:443'] }),
  ...bothWays('A18', 'an A-label that means nothing', 'xn--a.allowed.test', { log: ['allowed xn--a.allowed.test:443'] }),
  ...oddHost('A18', 'an A-label without a letter', 'xn--.allowed.test'),
  ...oddHost('A19', 'a soft hyphen', utf8('allo\u00adwed.test')),
  ...oddHost('A19', 'a space of no width', utf8('allowed\u200b.test')),
  ...oddHost('A19', 'a byte order mark', utf8('\ufeffallowed.test')),
  {
    id: 'A20',
    what: 'a user before another host',
    to: 'proxy',
    send: [connectTo('allowed.test@evil.test:443', 'evil.test')],
    back: ['400'],
    log: [malformed],
  },
  {
    id: 'A20',
    what: 'a user before an allowed host',
    to: 'proxy',
    send: [connectTo('u:p@allowed.test:443', 'allowed.test')],
    back: ['400'],
    log: [malformed],
  },
  ...bothWays('A21', 'a denied name under an allowed wildcard', 'secret.allowed.test', { log: ['denied_by_rule secret.allowed.test:443'] }),
  ...bothWays('A21', 'the same with the rules swapped', 'secret.allowed.test', {
    policy: swapped,
    log: ['allowed secret.allowed.test:443'],
  }),
  ...['localhost', 'LOCALHOST.', 'x.localhost', 'allowed.localhost'].map(
    (host): Row => ({
      ...{ id: 'A22', what: `the reserved name ${host}`, to: 'proxy', send: (world) => [connectTo(`${host}:${world.canaryPort}`)] },
      ...{ back: ['403'], log: [`special_address ${host.toLowerCase().replace(/\.$/, '')}:PORT`] },
    }),
  ),
  {
    id: 'A23',
    what: 'a single label',
    to: 'proxy',
    send: [connectTo('registry:443')],
    back: ['403'],
    log: ['special_address registry:443'],
  },
  ...['allowed.test:443:80', 'allowed.test:0443', 'allowed.test:+443', 'allowed.test:443 '].map(
    (target): Row => ({
      id: 'A24',
      what: `the port of "${target}"`,
      to: 'proxy',
      send: [connectTo(target, 'allowed.test')],
      back: ['400'],
      log: [malformed],
    }),
  ),
  {
    ...{
      id: 'A25',
      what: 'a zone that ends in an allowed name',
      to: 'proxy',
      send: [connectTo('[::ffff:1.2.3.4%25x.allowed.test]:443', 'allowed.test')],
    },
    ...{ back: ['400'], log: [malformed] },
  },
  {
    id: 'A26',
    what: 'a name in brackets in CONNECT',
    to: 'proxy',
    send: [connectTo('[evil.test]:443', 'allowed.test')],
    back: ['400'],
    log: [malformed],
  },
  {
    id: 'A26',
    what: 'a name in brackets in Host',
    to: toPlain,
    send: [get('/', '[plain.test]')],
    back: ['400'],
    log: ['malformed_request plain.test:80'],
  },
  ...['plain.test evil.test', 'plain.test\tx', 'plain.test,evil.test'].map(
    (host): Row => ({
      ...{ id: 'A27', what: `two hosts in Host: ${JSON.stringify(host)}`, to: toPlain, send: [get('/', host)] },
      ...{ back: ['400'], log: ['malformed_request plain.test:80'] },
    }),
  ),
  {
    id: 'A27',
    what: 'two names in a tunnel',
    to: 'proxy',
    send: through('allowed.test:443', tls('allowed.test evil.test')),
    back: ['200', 'alert'],
    log: ['malformed_client_hello allowed.test:443'],
    asks: ['allowed.test'],
  },
];
