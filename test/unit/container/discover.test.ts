import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listCandidates } from '../../../sandbox-engine/container/discover.ts';
import { parseDockerAddress } from '../../../sandbox-engine/container/docker-address.ts';
import { readDockerContexts } from '../../../sandbox-engine/container/docker-contexts.ts';

const none = { current: null, contexts: [] };
const chosenOf = (env: Record<string, string>, contexts = none as Parameters<typeof listCandidates>[0]['contexts']) =>
  listCandidates({ env, homeFolder: '/home/u', uid: 1000, contexts }).find((candidate) => candidate.isChosen);

test.each([
  ['unix:///tmp/x.sock', { kind: 'socket', address: 'unix:///tmp/x.sock', socketPath: '/tmp/x.sock' }],
  ['/tmp/x.sock', { kind: 'socket', address: 'unix:///tmp/x.sock', socketPath: '/tmp/x.sock' }],
  ['tcp://127.0.0.1:2375', { kind: 'tcp', address: 'tcp://127.0.0.1:2375', host: '127.0.0.1', port: 2375, tls: null }],
  ['tcp://[::1]:2375', { kind: 'tcp', address: 'tcp://[::1]:2375', host: '::1', port: 2375, tls: null }],
  ['127.0.0.1:1', { kind: 'tcp', address: 'tcp://127.0.0.1:1', host: '127.0.0.1', port: 1, tls: null }],
])('DOCKER_HOST=%s is dialled as given', (text, target) => {
  expect(parseDockerAddress(text)).toEqual({ ok: true, target });
});

test('ssh is refused by name', () => {
  expect(chosenOf({ DOCKER_HOST: 'ssh://dev@host' })?.problem?.message).toMatch(/^ssh is not supported \(ssh:\/\/dev@host\)/);
});

test('an empty DOCKER_HOST is as none', () => {
  const all = listCandidates({ env: { DOCKER_HOST: '' }, homeFolder: '/home/u', uid: 1000, contexts: none });
  expect(all[0]).toMatchObject({ address: 'unix:///var/run/docker.sock', source: 'default socket', isChosen: false });
});

test('a set DOCKER_HOST does not fall back to the default Docker sockets', () => {
  const all = listCandidates({ env: { DOCKER_HOST: 'tcp://127.0.0.1:1' }, homeFolder: '/home/u', uid: 1000, contexts: none });
  expect(all.filter(({ kind }) => kind === 'docker').map(({ address }) => address)).toEqual(['tcp://127.0.0.1:1']);
});

test('the rootless Podman socket is looked for without XDG_RUNTIME_DIR', () => {
  const addresses = listCandidates({ env: {}, homeFolder: '/home/u', uid: 1000, contexts: none }).map(({ address }) => address);
  expect(addresses).toContain('unix:///run/user/1000/podman/podman.sock');
});

test('contexts are read, a broken one hides no other, and DOCKER_HOST wins over DOCKER_CONTEXT over currentContext', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'contexts-'));
  try {
    await writeFile(join(folder, 'config.json'), '{"currentContext":"colima"}');
    const write = async (id: string, text: string) => {
      await mkdir(join(folder, 'contexts/meta', id), { recursive: true });
      await writeFile(join(folder, 'contexts/meta', id, 'meta.json'), text);
    };
    await write('a1', '{"Name":"colima","Endpoints":{"docker":{"Host":"unix:///c.sock"}}}');
    await write('b2', '{"Name":"orbstack","Endpoints":{"docker":{"Host":"unix:///o.sock"}}}');
    await write('c3', '{"Name":"broken","Endp');
    const contexts = await readDockerContexts(folder);
    const listed = listCandidates({ env: {}, homeFolder: '/home/u', uid: 1000, contexts }).filter(({ source }) =>
      source.startsWith('context'),
    );
    expect(listed.map(({ name, problem }) => [name, problem?.status ?? 'ok'])).toEqual([
      ['colima', 'ok'],
      ['c3', 'unreadable'],
      ['orbstack', 'ok'],
    ]);
    expect([
      chosenOf({}, contexts)?.address,
      chosenOf({ DOCKER_CONTEXT: 'orbstack' }, contexts)?.address,
      chosenOf({ DOCKER_CONTEXT: 'orbstack', DOCKER_HOST: '/h.sock' }, contexts)?.address,
    ]).toEqual(['unix:///c.sock', 'unix:///o.sock', 'unix:///h.sock']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
