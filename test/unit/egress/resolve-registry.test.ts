// What a registry that cannot be asked, or answers oddly, does to a preset; and the one way in which it is asked. Source: NETWORK.md 1.3, 1.9.
import { createServer } from 'node:https';
import { createServer as createNetServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ResolvedPreset } from '../../../sandbox-engine/contract/model.ts';
import { createFetchChecked } from '../../../sandbox-engine/egress/fetch-checked.ts';
import { allRegistries } from '../../../sandbox-engine/egress/registries/all-registries.ts';
import { resolveRegistry } from '../../../sandbox-engine/egress/resolve-registry.ts';
import { type FakeRegistry, startFakeRegistry } from './fake-registry.ts';
import { certificate, key } from './test-certificate.ts';

let registry: FakeRegistry;
beforeAll(async () => {
  registry = await startFakeRegistry(500);
});
afterAll(() => registry.close());
beforeEach(() => Object.assign(registry, { answers: {}, asked: [], lookedUp: [], headers: [], names: {} }));

const now = '2026-11-29T10:00:00.000Z';
const npm = (url: string, previous: ResolvedPreset | null = null, allowPrivate = false) =>
  resolveRegistry({
    manager: allRegistries.npm,
    outputs: [JSON.stringify({ registry: url }), '', ''],
    ...{ previous, allowPrivate, fetchChecked: registry.fetchChecked, now },
  });
const tarball = (url: string) => ({ body: JSON.stringify({ dist: { tarball: url } }) });
const hostsOf = ({ hosts }: ResolvedPreset): string[] => hosts.map(({ host, ports }) => `${host}:${ports.join('+')}`);

describe('offline', () => {
  test('the last result is used and marked, as long as the configuration is the same', async () => {
    registry.answers['npm.test/isarray/latest'] = tarball('https://files.test/x.tgz');
    const first = await npm('http://npm.test/');
    registry.names['npm.test'] = ['127.0.0.1'];
    const second = await npm('http://npm.test/', first);
    expect([second.state, hostsOf(second), second.revision === first.revision]).toEqual([
      'last_known',
      ['npm.test:80', 'files.test:443'],
      true,
    ]);
    expect(second.notes).toEqual(['npm.test leads to no address that may be asked.']);
    const third = await npm('http://npm.test/', second);
    expect([third.state, hostsOf(third)]).toEqual(['last_known', ['npm.test:80', 'files.test:443']]);
  });

  test('never resolved: only the configured hosts', async () => {
    const preset = await npm('http://nowhere.test/');
    expect([preset.state, hostsOf(preset), preset.notes]).toEqual(['configured_only', ['nowhere.test:80'], ['No answer.']]);
  });

  test('another registry in the image: the files of the one before are not opened', async () => {
    registry.answers['npm.test/isarray/latest'] = tarball('https://files.test/x.tgz');
    const first = await npm('http://npm.test/');
    const second = await npm('http://nowhere.test/', first);
    expect([second.state, hostsOf(second)]).toEqual(['configured_only', ['nowhere.test:80']]);
  });

  test('a moved file host is noticed: the revision changes', async () => {
    registry.answers['npm.test/isarray/latest'] = tarball('https://files.test/x.tgz');
    const first = await npm('http://npm.test/');
    registry.answers['npm.test/isarray/latest'] = tarball('https://moved.test/x.tgz');
    const second = await npm('http://npm.test/', first);
    expect([hostsOf(second), second.revision === first.revision]).toEqual([['npm.test:80', 'moved.test:443'], false]);
  });
});

describe('answers that are odd', () => {
  test.each<[string, { status?: number; body?: string; location?: string }, string[], string]>([
    ['no JSON', { body: '<html>' }, ['npm.test:80'], 'current'],
    ['JSON without an archive', { body: '{"dist":{}}' }, ['npm.test:80'], 'current'],
    ['an archive that is a list', { body: '{"dist":{"tarball":["https://x.test"]}}' }, ['npm.test:80'], 'current'],
    ['an archive behind __proto__', { body: '{"__proto__":{"dist":{"tarball":"https://x.test"}}}' }, ['npm.test:80'], 'current'],
    ['an archive on disk', tarball('file:///etc/passwd'), ['npm.test:80'], 'current'],
    ['a relative archive', tarball('/-/x.tgz'), ['npm.test:80'], 'current'],
    ['an archive on another port', tarball('http://npm.test:8081/x.tgz'), ['npm.test:80+8081'], 'current'],
    ['401', { status: 401 }, ['npm.test:80'], 'configured_only'],
    ['503', { status: 503 }, ['npm.test:80'], 'configured_only'],
    ['a redirect of everything', { status: 302, location: 'https://elsewhere.test/npm' }, ['npm.test:80', 'elsewhere.test:443'], 'current'],
    ['a redirect without a place', { status: 302 }, ['npm.test:80'], 'current'],
  ])('%s', async (_name, answer, hosts, state) => {
    registry.answers['npm.test/isarray/latest'] = answer;
    const preset = await npm('http://npm.test/');
    expect([hostsOf(preset), preset.state]).toEqual([hosts, state]);
  });

  test.each([
    ['http://localhost:4873/', 'localhost'],
    ['http://127.0.0.1:4873/', '127.0.0.1'],
    ['http://127.1:4873/', '127.0.0.1'],
    ['http://[::1]:4873/', '[::1]'],
    ['http://169.254.169.254/', '169.254.169.254'],
    ['http://host.docker.internal:4873/', 'host.docker.internal'],
    ['http://verdaccio:4873/', 'verdaccio'],
  ])('the registry %s can never be opened, and is said', async (url, host) => {
    const preset = await npm(url);
    expect(preset.hosts).toEqual([]);
    expect(preset.notes[0]).toBe(`${host} (npm config) can never be opened to a sandbox.`);
    expect(registry.asked).toEqual([]);
  });

  test('an answer that sends files to a metadata service opens nothing there', async () => {
    registry.answers['npm.test/isarray/latest'] = tarball('http://169.254.169.254/latest');
    const preset = await npm('http://npm.test/');
    expect([hostsOf(preset), preset.notes]).toEqual([
      ['npm.test:80'],
      ["169.254.169.254 (npm's archives) can never be opened to a sandbox."],
    ]);
  });
});

describe('how it is asked', () => {
  test('once, without credentials of the configuration, and no redirect is followed', async () => {
    registry.answers['npm.test/isarray/latest'] = { status: 302, location: 'http://elsewhere.test/x' };
    await npm('http://user:secret@npm.test/');
    expect([registry.asked, registry.lookedUp]).toEqual([['GET npm.test/isarray/latest'], ['npm.test']]);
    expect(registry.headers[0]).not.toHaveProperty('authorization');
  });

  test.each<[string, string[], boolean, number]>([
    ['a public address', ['20.0.0.9'], false, 1],
    ['this computer', ['127.0.0.1'], true, 0],
    ['a metadata service', ['169.254.169.254'], true, 0],
    ['a private address', ['10.0.0.5'], false, 0],
    ['a private address that the rule allows', ['10.0.0.5'], true, 1],
    ['an address of this computer that is public', ['20.9.9.9'], false, 0],
    ['a private and a public address', ['10.0.0.5', '20.0.0.9'], false, 1],
    ['no address', [], false, 0],
  ])('a name that leads to %s', async (_name, addresses, allowPrivate, requests) => {
    registry.names['npm.test'] = addresses;
    await npm('http://npm.test/', null, allowPrivate);
    expect(registry.asked).toHaveLength(requests);
  });

  test('an endless answer is read up to its bound, and one that never comes is given up', async () => {
    const silent = createNetServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const pump = (): boolean => socket.writable && socket.write('x'.repeat(65_536), () => void pump());
        if (isEndless) pump();
      });
    });
    let isEndless = true;
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const { port } = silent.address() as { port: number };
    const fetchChecked = createFetchChecked({
      resolve: async () => ({ ok: true, addresses: ['20.0.0.9'], ttlSeconds: 0 }),
      own: () => ({ interfaces: [], gateways: [], ownPorts: [] }),
      limitMs: 500,
      route: () => ({ address: '127.0.0.1', port }),
    });
    const request = { url: new URL('http://big.test/'), maxBytes: 100_000, allowPrivate: false };
    const big = await fetchChecked(request);
    isEndless = false;
    const late = await fetchChecked(request);
    await new Promise<void>((closed) => silent.close(() => closed()));
    expect(big.ok && big.body.length).toBe(100_000);
    expect(late).toEqual({ ok: false, detail: 'big.test did not answer within 0.5 seconds.' });
  });

  test.each<[string, string[], string]>([
    ['https://npm.test/isarray/latest', [certificate], 'ok'],
    ['https://npm.test/isarray/latest', [], 'npm.test'],
    ['https://other.test/isarray/latest', [certificate], 'other.test'],
  ])('%s is believed only with a certificate for that name from a known authority', async (url, authorities, expected) => {
    const server = createServer({ key, cert: certificate }, (_request, response) => void response.end('{}'));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as { port: number };
    const fetchChecked = createFetchChecked({
      resolve: async () => ({ ok: true, addresses: ['20.0.0.9'], ttlSeconds: 0 }),
      own: () => ({ interfaces: [], gateways: [], ownPorts: [] }),
      limitMs: 5000,
      authorities: async () => authorities,
      route: () => ({ address: '127.0.0.1', port }),
    });
    const answer = await fetchChecked({ url: new URL(url), maxBytes: 10, allowPrivate: false });
    await new Promise((closed) => server.close(closed));
    expect(answer.ok ? 'ok' : answer.detail).toContain(expected);
    expect(answer.ok).toBe(expected === 'ok');
  });

  test.each([['http://npm.test:9/'], ['ftp://npm.test/'], ['http://a..b/']])('%s cannot be asked', async (url) => {
    expect((await registry.fetchChecked({ url: new URL(url), maxBytes: 10, allowPrivate: false })).ok).toBe(false);
  });
});
