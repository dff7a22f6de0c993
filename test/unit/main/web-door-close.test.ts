// The web door lets go of whoever is connected when the host ends, however they behave.
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWebDoor } from '../../../main/web/server.ts';
import { startSmallHost } from './small-host.ts';

const open = async () => {
  const { host, dataFolder } = await startSmallHost();
  const door = await openWebDoor({ host, rendererFolder: dataFolder });
  const bearer = (await readFile(join(dataFolder, 'api-token'), 'utf8')).trim();
  return { door, bearer };
};

/** Says this and then nothing more, and does not hang up either. */
const stay = async (port: number, text: string): Promise<Socket> => {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(text);
  await new Promise((resolve) => setTimeout(resolve, 200));
  return socket;
};

const upgrade = (path: string, bearer: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer ${bearer}\r\n\r\n`;

test.each([
  ['says nothing', () => ''],
  ['stops in the middle of a request', () => 'GET / HTTP/1.1\r\nHost: 127'],
  ['was refused a web socket', () => upgrade('/api/v1/socket', 'wrong')],
  ['asked for a web socket that is not there', (bearer: string) => upgrade('/elsewhere', bearer)],
])('who %s and stays does not keep the door from closing', async (_name, say) => {
  const { door, bearer } = await open();
  await stay(door.port, say(bearer));
  const began = performance.now();
  await door.close();
  expect(performance.now() - began).toBeLessThan(3_000);
});
