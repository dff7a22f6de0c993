import { expect, test } from 'vitest';
import { guard, type Visit } from '../../../main/web/guard.ts';

const good: Visit = { host: '127.0.0.1:4100', origin: undefined, isKnown: true, mustSayOrigin: false, port: 4100 };

test.each<[string, Partial<Visit>]>([
  ['a program without an origin', {}],
  ['our own page', { origin: 'http://127.0.0.1:4100' }],
  ['our own page by name', { host: 'localhost:4100', origin: 'http://localhost:4100' }],
  ['IPv6 loopback', { host: '[::1]:4100' }],
  ['a host name in capitals', { host: 'LOCALHOST:4100' }],
  ['a socket of our page', { mustSayOrigin: true, origin: 'http://127.0.0.1:4100' }],
])('%s is let in', (_case, visit) => {
  expect(guard({ ...good, ...visit })).toEqual({ allowed: true });
});

test.each<[string, Partial<Visit>, string, string]>([
  ['no Host at all', { host: undefined }, 'forbidden', 'not this host'],
  ['a rebound name', { host: 'evil.example:4100' }, 'forbidden', 'not this host'],
  ['the right name, another port', { host: '127.0.0.1:4101' }, 'forbidden', 'not this host'],
  ['the right name, no port', { host: '127.0.0.1' }, 'forbidden', 'not this host'],
  ['a name that begins like ours', { host: '127.0.0.1:4100.evil.example' }, 'forbidden', 'not this host'],
  ['an address of the whole machine', { host: '0.0.0.0:4100' }, 'forbidden', 'not this host'],
  ['another page', { origin: 'https://evil.example' }, 'forbidden', 'may not talk'],
  ['another port on loopback', { origin: 'http://127.0.0.1:4101' }, 'forbidden', 'may not talk'],
  ['https instead of http', { origin: 'https://127.0.0.1:4100' }, 'forbidden', 'may not talk'],
  ['a sandboxed frame or a file', { origin: 'null' }, 'forbidden', 'may not talk'],
  ['an empty origin', { origin: '' }, 'forbidden', 'may not talk'],
  ['an origin that ends like ours', { origin: 'http://evil.example/http://127.0.0.1:4100' }, 'forbidden', 'may not talk'],
  ['a socket that does not say where it comes from', { mustSayOrigin: true }, 'forbidden', 'which page'],
  ['no token', { isKnown: false }, 'unauthorized', 'no token'],
  ['no token and a foreign page: the page is the reason', { isKnown: false, origin: 'https://evil.example' }, 'forbidden', 'may not talk'],
])('%s is refused', (_case, visit, code, reason) => {
  expect(guard({ ...good, ...visit })).toEqual({ allowed: false, code, reason: expect.stringContaining(reason) });
});
