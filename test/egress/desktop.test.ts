// The real desktop, behind a gate: it shows a picture, has hands, Chromium goes by the rules, and it comes back when it dies. Its base takes
// minutes and a gigabyte the first time, so it is tried only where SANDLOT_TEST_DESKTOP is set.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../../sandbox-engine/contract/model.ts';
import { createRuled, runInside } from '../runtime/support/gated-host.ts';
import { type RealHost, removeRealHost, startRealHost, until } from '../runtime/support/real-host.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';

const isWanted = process.env['SANDLOT_TEST_DESKTOP'] !== undefined;
if (!isWanted) process.stderr.write('The real desktop is left out: set SANDLOT_TEST_DESKTOP=1 to build and try it.\n');

describe.skipIf(!isWanted).each(testRuntimes)('the desktop on $kind', ({ kind, socket }) => {
  let host: RealHost;
  let session: Session;

  beforeAll(async () => {
    host = await startRealHost({ env: { [kind === 'docker' ? 'DOCKER_HOST' : 'CONTAINER_HOST']: `unix://${socket}` } });
    const { runtimes } = await host.call('runtimes.list', {});
    const runtime = runtimes.find(({ address }) => address === `unix://${socket}`)?.id ?? '';
    const body = { name: 'desktop', recipe_yaml: 'base: browser-desktop\n', computer_use: true };
    const { id } = await createRuled(host, runtime, [], body);
    await host.call('builds.start', { environment_id: id, pin: true });
    await until(
      () => host.call('environments.get', { environment_id: id }),
      ({ image }) => image.state === 'active',
      900_000,
    );
    const launched = await host.call('sessions.launch', { environment_id: id });
    session = await until(
      () => host.call('sessions.get', { session_id: launched.id }),
      ({ steps }) => steps.some(({ name, status }) => name === 'desktop' && status !== 'running'),
    );
  }, 1_000_000);
  afterAll(async () => {
    if (host !== undefined) await removeRealHost(host);
  }, 600_000);

  const byId = () => ({ session_id: session.id });

  test('it shows 1280 × 800, and what is typed and clicked arrives', async () => {
    expect(session).toMatchObject({ status: 'running', message: null, computer_use: true });
    const picture = await host.call('screen.screenshot', byId());
    expect([picture.width, picture.height, Buffer.from(picture.data, 'base64').length]).toEqual([1280, 800, picture.size]);
    await runInside(host, session.id, 'setsid -f xterm -e sh -c \'read line; echo "$line" >/tmp/typed\' >/dev/null 2>&1; sleep 2');
    await host.call('screen.act', {
      ...byId(),
      actions: [
        { do: 'click', x: 640, y: 400 },
        { do: 'type', text: 'a line\n' },
      ],
    });
    await until(
      () => runInside(host, session.id, 'cat /tmp/typed 2>/dev/null'),
      (text) => text !== '',
      15_000,
    );
    expect(await runInside(host, session.id, 'cat /tmp/typed')).toBe('a line');
  });

  test('Chromium goes by the rules, with its own settings kept', async () => {
    const dom = await runInside(host, session.id, 'timeout 60 chromium --headless --dump-dom http://blocked.example/ 2>/dev/null');
    expect(dom).toContain('The sandbox policy blocked blocked.example:80');
    const policy = await runInside(host, session.id, 'cat /etc/chromium/policies/managed/*.json');
    expect(JSON.parse(policy)).toMatchObject({
      EncryptedClientHelloEnabled: false,
      DnsOverHttpsMode: 'off',
      QuicAllowed: false,
      SpellcheckEnabled: false,
    });
  });

  test('it listens at no port, and comes back when it dies', async () => {
    // The relay of the gate alone.
    expect(await runInside(host, session.id, 'cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -c ":1[67]..\\|:59.. "')).toBe('0');
    await runInside(host, session.id, 'pkill Xvnc; sleep 3');
    const { screen_id } = await host.call('screen.open', byId());
    const { data } = await host.call('screen.read', { screen_id });
    expect(Buffer.from(data, 'base64').toString('latin1')).toBe('RFB 003.008\n');
    await host.call('screen.close', { screen_id });
  });
});
