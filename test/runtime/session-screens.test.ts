// The way of a screen's bytes on real runtimes, with a stand-in of a few lines for the desktop.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../../sandbox-engine/contract/model.ts';
import { createScreenActions } from '../../sandbox-engine/session/screen-actions.ts';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { putStandInScreen } from './support/stand-in-screen.ts';
import { ensureTestImage, testRuntimes } from './support/test-image.ts';

type House = Awaited<ReturnType<typeof openSessionHouse>>;

const flood = 16 * 1024 ** 2;

describe.each(testRuntimes)('screens on $kind', (where) => {
  let house: House;
  let session: Session;

  const start = async (over: Parameters<typeof anEnvironment>[0]): Promise<Session> => {
    const launched = await house.sessions.launch(aPlan(anEnvironment(over), await ensureTestImage(where.socket)));
    return await house.sessions.launched(launched.id);
  };
  /** Reads until so many bytes are there. */
  const read = async (id: string, bytes: number): Promise<Buffer> => {
    const parts: Buffer[] = [];
    for (let size = 0; size < bytes; ) {
      const slice = await house.sessions.screens.read(id, { waitMs: 10_000, maxBytes: 1_048_576 });
      if (slice.ended || slice.bytes.length === 0) break;
      parts.push(slice.bytes);
      size += slice.bytes.length;
    }
    return Buffer.concat(parts);
  };
  const inside = async (script: string): Promise<string> => {
    const { id } = await house.sessions.startExec(session.id, { command: ['bash', '-c', script] });
    return await house.textOf((await house.sessions.getExec(id, 30)).stdout_stream_id);
  };

  beforeAll(async () => {
    house = await openSessionHouse(where);
    // No network at all: the picture needs none.
    session = await start({ computer_use: true, network_policy: { version: 'v1', rules: [] } });
  });
  afterAll(() => house.removeAll());

  test('an image without a desktop is told apart, in the session too', async () => {
    const opened = house.sessions.screens.open(session);
    await expect(opened).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('Xvnc is missing') });
    await expect.poll(async () => (await house.sessions.get(session.id)).message).toContain('Xvnc is missing');
    const without = await start({});
    await expect(house.sessions.screens.open(without)).rejects.toMatchObject({ code: 'not_found' });
    await house.sessions.remove(without.id);
  });

  test('bytes go both ways, whole and in order, however slowly they are read', async () => {
    await putStandInScreen(house.runtime, session.container_id ?? '');
    const { screens } = house.sessions;
    const id = await screens.open(session);
    expect((await read(id, 12)).toString()).toBe('RFB 003.008\n');
    await screens.write(id, Buffer.from('hello'));
    expect((await read(id, 5)).toString()).toBe('hello');
    await screens.write(id, Buffer.from(`flood ${flood}`));
    const all = await read(id, flood);
    const line = Buffer.from(Array.from({ length: 1024 }, (_, index) => 65 + (index % 26)));
    expect([all.length, all.equals(Buffer.concat(Array(flood / 1024).fill(line)))]).toEqual([flood, true]);
    screens.close(id);
    await expect(screens.read(id, { waitMs: 0, maxBytes: 1 })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('who does not read holds the sandbox back, not the host, and whoever leaves leaves nothing at work inside', async () => {
    const { screens } = house.sessions;
    const [slow, quick] = [await screens.open(session), await screens.open(session)];
    await Promise.all([read(slow, 12), read(quick, 12)]);
    const before = process.memoryUsage().rss;
    await screens.write(slow, Buffer.from(`flood ${64 * flood}`));
    await screens.write(quick, Buffer.from(`flood ${flood}`));
    expect((await read(quick, flood)).length).toBe(flood);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
    for (const id of [slow, quick]) screens.close(id);
    await expect.poll(() => inside("pgrep -c -f '^[s]andlot-relay'"), { timeout: 10_000 }).toBe('0\n');
  });

  test('nobody but the sandbox user reaches it, and it comes back when it has ended', async () => {
    const { screens } = house.sessions;
    expect(await inside('stat -c "%U %a" /tmp/.sandlot-desktop /tmp/.sandlot-desktop/rfb; echo "$DISPLAY"')).toBe(
      'sandbox 700\nsandbox 600\n:1\n',
    );
    const id = await screens.open(session);
    await read(id, 12);
    await inside('pkill -f /usr/local/bin/Xvnc');
    for (let ended = false; !ended; ) ended = (await screens.read(id, { waitMs: 10_000, maxBytes: 1024 })).ended;
    await expect.poll(async () => (await read(await screens.open(session), 12)).toString(), { timeout: 15_000 }).toBe('RFB 003.008\n');
  });

  test('a picture that is none is refused, and so is one without end', async () => {
    const shoot = createScreenActions({ runtimeOf: () => house.runtime });
    await expect(shoot.screenshot(session)).rejects.toMatchObject({ code: 'not_found' });
    await inside(
      'printf \'#!/bin/sh\\nshift 2; head -c 100 /dev/zero >"$1"\\n\' | sudo tee /usr/local/bin/scrot; sudo chmod +x /usr/local/bin/scrot',
    );
    await expect(shoot.screenshot(session)).rejects.toMatchObject({ code: 'runtime_error' });
    await inside('printf \'#!/bin/sh\\nhead -c 20000000 /dev/zero >"$3"\\n\' | sudo tee /usr/local/bin/scrot');
    await expect(shoot.screenshot(session)).rejects.toMatchObject({ code: 'too_large' });
  });
});
