// What names lead to, and questions by other ways. Source: NETWORK.md 2, C.
import type { Answer } from '../../../sandbox-engine/egress/resolve.ts';
import { connectTo, get, type Row, through, tls } from './row.ts';

const at = (...addresses: string[]): Answer => ({ ok: true, addresses, ttlSeconds: 0 });

const leadsTo = (address: string, reason: 'private_address' | 'special_address'): Row => ({
  ...{ id: 'C12', what: `an allowed name that is ${address}`, to: 'proxy', back: ['403'] },
  policy: ({ canaryPort }) => ({ version: 'v1', rules: [{ action: 'allow', hosts: ['*.allowed.test'], ports: [canaryPort] }] }),
  answers: () => ({ 'x.allowed.test': [at(address)] }),
  send: ({ canaryPort }) => [connectTo(`x.allowed.test:${canaryPort}`)],
  ...{ log: [`${reason} x.allowed.test:PORT`], asks: ['x.allowed.test'] },
});

const failing = (what: string, answer: Answer | 'silent'): Row => ({
  ...{ id: 'C14', what, to: 'proxy', answers: () => ({ 'allowed.test': [answer] }), send: [connectTo('allowed.test:443')] },
  ...{ back: ['502'], log: ['resolve_failed allowed.test:443'], asks: ['allowed.test'] },
});

const corpAt = (address: string, reason: string): Row => ({
  ...{ id: 'C13', what: `a name for which private addresses are allowed, at ${address}`, to: { name: 'corp.test', port: 80 } },
  ...{ answers: () => ({ 'corp.test': [at(address)] }), send: [get('/', 'corp.test')], asks: ['corp.test'] },
  ...(reason === 'allowed'
    ? { back: ['200', 'http:corp.test'], log: ['allowed corp.test:80'] }
    : { back: ['403'], log: [`${reason} corp.test:80`] }),
});

export const lookupRows: Row[] = [
  {
    id: 'C01',
    what: 'a blocked name over HTTP',
    to: { name: 'blocked.test', port: 80 },
    send: [get('/', 'blocked.test')],
    back: ['403'],
    log: ['no_rule blocked.test:80'],
  },
  {
    id: 'C05',
    what: 'DNS over HTTPS by an address',
    to: 'proxy',
    send: [connectTo('1.1.1.1:443')],
    back: ['403'],
    log: ['ip_literal 1.1.1.1:443'],
  },
  {
    id: 'C05',
    what: 'DNS over HTTPS by a name',
    to: 'proxy',
    send: [connectTo('dns.evil.test:443')],
    back: ['403'],
    log: ['no_rule dns.evil.test:443'],
  },
  {
    id: 'C05',
    what: 'DNS over TLS',
    to: { address: '1.1.1.1', port: 853 },
    send: [tls(null)],
    back: ['alert'],
    log: ['ip_literal 1.1.1.1:853'],
  },
  {
    ...{ id: 'C10', what: 'a name that is this computer the second time', to: 'proxy' },
    answers: () => ({ 'rebind.allowed.test': [at('20.0.0.14'), at('127.0.0.1')] }),
    send: through('rebind.allowed.test:443', tls('rebind.allowed.test')),
    ...{ back: ['200', 'tls:rebind.allowed.test'], log: ['allowed rebind.allowed.test:443'] },
  },
  leadsTo('127.0.0.1', 'special_address'),
  leadsTo('10.0.0.5', 'private_address'),
  leadsTo('172.20.0.1', 'private_address'),
  leadsTo('192.168.1.1', 'private_address'),
  leadsTo('100.64.0.1', 'private_address'),
  leadsTo('169.254.169.254', 'special_address'),
  leadsTo('::1', 'special_address'),
  leadsTo('fd00::5', 'private_address'),
  leadsTo('::ffff:7f00:1', 'special_address'),
  leadsTo('0.0.0.0', 'special_address'),
  leadsTo('198.18.0.1', 'special_address'),
  {
    ...{ id: 'C12', what: 'a name with a private and a public address goes to the public one', to: 'proxy' },
    answers: () => ({ 'allowed.test': [at('127.0.0.1', '10.0.0.5', '20.0.0.10')] }),
    send: through('allowed.test:443', tls('allowed.test')),
    ...{ back: ['200', 'tls:allowed.test'], log: ['allowed allowed.test:443'] },
  },
  corpAt('10.1.2.3', 'allowed'),
  corpAt('127.0.0.1', 'special_address'),
  corpAt('169.254.169.254', 'special_address'),
  failing('a resolver that fails', { ok: false, detail: 'The name server of this computer failed.' }),
  failing('a resolver that is silent', 'silent'),
  failing('a name without an address', at()),
  {
    ...{ id: 'C19', what: 'a blocked name that was given the address of an allowed one', to: { name: 'allowed.test', port: 443 } },
    ...{ send: [tls('blocked.test')], back: ['alert'], log: ['name_mismatch blocked.test:443'] },
  },
  {
    id: 'C23',
    what: 'a name of the neighbourhood',
    to: 'proxy',
    send: [connectTo('printer.local:443')],
    back: ['403'],
    log: ['special_address printer.local:443'],
  },
  {
    id: 'C23',
    what: 'a service of the neighbourhood',
    to: 'proxy',
    send: [connectTo('_http._tcp.local:80')],
    back: ['403'],
    log: ['special_address _http._tcp.local:80'],
  },
];
