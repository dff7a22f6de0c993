import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHostCertificates } from '../../../sandbox-engine/base/host-certificates.ts';

const pem = (body: string): string => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`;

test('authorities of this machine are read again when their file has changed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-authorities-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'extra.pem');
  await writeFile(file, pem('AAAA'));
  const read = createHostCertificates({ NODE_EXTRA_CA_CERTS: file });
  const first = await read();
  expect(first).toContain(`${pem('AAAA')}\n`);
  expect(await read()).toBe(first);
  await writeFile(file, `${pem('AAAA')}\n${pem('BBBB')}`);
  expect(await read()).toEqual(expect.arrayContaining([`${pem('AAAA')}\n`, `${pem('BBBB')}\n`]));
});
