import { expect, test } from 'vitest';
import { openAccess } from '../../../main/web/access.ts';
import { temporaryFolder } from './small-host.ts';

test('a session cookie outlives a restart, a one-time token and a made-up signature do not', async () => {
  const folder = await temporaryFolder();
  const before = await openAccess(folder);
  const cookie = before.exchange(before.newOneTimeToken()) ?? '';
  const unused = before.newOneTimeToken();
  const after = await openAccess(folder);
  expect([after.isSession(cookie), after.isSession(`${cookie}x`), after.exchange(unused)]).toEqual([true, false, null]);
});

test('a session ends after thirty days, a one-time token after twelve hours', async () => {
  let now = 1_000_000;
  const access = await openAccess(await temporaryFolder(), () => now);
  const cookie = access.exchange(access.newOneTimeToken()) ?? '';
  const token = access.newOneTimeToken();
  now += 12 * 3_600_000 + 1;
  expect([access.isSession(cookie), access.exchange(token)]).toEqual([true, null]);
  now += 30 * 24 * 3_600_000;
  expect(access.isSession(cookie)).toBe(false);
});
