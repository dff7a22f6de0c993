import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sshConfig, vscodeNote, vscodeUrl } from '../../../sandbox-engine/session/editor-links.ts';
import { publicLineOf, readSshKey } from '../../../sandbox-engine/session/ssh-key.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandlot-key-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const sessionId = 'ses_01k0000000000000000000000a';

test('the key is made once, for its owner only, and its public line holds its point', async () => {
  const key = await readSshKey(folder);
  expect(await readSshKey(folder)).toEqual(key);
  expect((await stat(key.path)).mode & 0o777).toBe(0o600);
  const pem = await readFile(key.path, 'utf8');
  const { x = '' } = createPublicKey(createPrivateKey(pem)).export({ format: 'jwk' });
  const [kind, blob = ''] = publicLineOf(pem).split(' ');
  const bytes = Buffer.from(blob, 'base64');
  expect([kind, bytes.length, bytes.subarray(40, 72).toString('base64url')]).toEqual(['ecdsa-sha2-nistp256', 104, x]);
});

test('VS Code gets the name of the container in hexadecimal', () => {
  const [, hex = '', path] = /attached-container\+([0-9a-f]+)(.*)$/.exec(vscodeUrl(sessionId)) ?? [];
  expect([Buffer.from(hex, 'hex').toString(), path]).toEqual([`{"containerName":"/sandlot-${sessionId}"}`, '/workspace']);
});

test.each([
  ['docker', 'unix:///var/run/docker.sock', null],
  ['docker', 'unix:///home/me/other.sock', 'DOCKER_HOST'],
  ['podman', 'unix:///run/podman/podman.sock', 'dev.containers.dockerPath'],
] as const)('%s at %s needs %s said', (kind, address, wanted) => {
  const note = vscodeNote(kind, address);
  expect(note === null ? null : note.includes(wanted ?? '-')).toBe(wanted === null ? null : true);
});

test('a folder with blanks, quotes and per cent signs stands in an SSH configuration as it is meant', () => {
  const config = sshConfig({ sessionId, keyPath: "/data/it's 5%/ssh/id_ecdsa", dataFolder: "/data/it's 5%" });
  expect(config).toContain(`  ProxyCommand env SANDLOT_HOME='/data/it'\\''s 5%%' sandlot session ssh-proxy ${sessionId}`);
  expect(config).toContain(`  IdentityFile "/data/it's 5%%/ssh/id_ecdsa"`);
  expect(sshConfig({ sessionId, keyPath: '/k', dataFolder: null })).toContain(`  ProxyCommand sandlot session ssh-proxy ${sessionId}\n`);
});
