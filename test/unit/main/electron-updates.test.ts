// When the desktop app tells that there is a newer version.
import { describe, expect, test } from 'vitest';
import type { Notice } from '../../../main/electron/notify.ts';
import { feedFileOf, feedOf, isNewer, watchUpdates } from '../../../main/electron/updates.ts';

describe('a newer version', () => {
  test.each([
    ['provider: generic\nurl: https://get.example/sandlot/\n', 'https://get.example/sandlot'],
    ["provider: generic\nurl: 'https://get.example'\n", 'https://get.example'],
    ['provider: generic\nurl: http://get.example/\n', null],
    ['provider: generic\nurl: file:///etc/passwd\n', null],
    ['provider: github\nurl: https://get.example/\n', null],
    ['provider: generic\n', null],
    ['', null],
  ])('the feed of %j is %s', (text, feed) => expect(feedOf(text)).toBe(feed));

  test.each([
    ['win32', 'x64', 'latest.yml'],
    ['darwin', 'arm64', 'latest-mac.yml'],
    ['linux', 'x64', 'latest-linux.yml'],
    ['linux', 'arm64', 'latest-linux-arm64.yml'],
  ] as const)('%s on %s reads %s', (platform, arch, file) => expect(feedFileOf(platform, arch)).toBe(file));

  test.each([
    ['0.1.1', '0.1.0', true],
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.9.9', true],
    ['0.1.0', '0.1.0', false],
    ['0.0.9', '0.1.0', false],
    ['0.2.0-beta.1', '0.1.0', false],
    ['0.2', '0.1.0', false],
    ['', '0.1.0', false],
  ])('%s after %s: %s', (offered, ours, isAfter) => expect(isNewer(offered, ours)).toBe(isAfter));

  const watch = async (appUpdateYml: string | null, answer: () => Promise<string>) => {
    const asked: string[] = [];
    const told: Notice[] = [];
    const logged: string[] = [];
    const end = watchUpdates({
      appUpdateYml,
      version: '0.1.0',
      platform: 'linux',
      arch: 'x64',
      fetchText: async (url) => {
        asked.push(url);
        return await answer();
      },
      tell: (notice) => void told.push(notice),
      log: { warn: (_fields, message) => void logged.push(message) },
    });
    await new Promise(setImmediate);
    end();
    return { asked, told: told.map(({ title }) => title), logged };
  };
  const feed = 'provider: generic\nurl: https://get.example/s\n';

  test('is told, and nobody is asked without a feed', async () => {
    const newer = await watch(feed, async () => 'version: 0.2.0\nfiles: []\n');
    const same = await watch(feed, async () => 'version: 0.1.0\n');
    const without = await watch(null, async () => 'version: 9.0.0\n');
    expect([newer.asked, newer.told, same.told, without.asked]).toEqual([
      ['https://get.example/s/latest-linux.yml'],
      ['Sandlot 0.2.0 is there'],
      [],
      [],
    ]);
  });

  test('a feed that does not answer is logged and disturbs nobody', async () => {
    const { told, logged } = await watch(feed, async () => {
      throw new Error('no network');
    });
    expect([told, logged]).toEqual([[], ['the feed of updates did not answer']]);
  });
});
