// Sockets that come from another process: what is taken, and what a gate that behaves badly can and cannot do with it. The other process is Perl,
// as in a gate. Source: unix(7) SCM_RIGHTS.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openHandedDoor } from '../../sandbox-engine/egress/handed-door.ts';
import type { AcceptedHandle, Listener } from '../../sandbox-engine/egress/listen-socket.ts';
import { type NativeSockets, nativeSockets } from '../../sandbox-engine/egress/native-sockets.ts';
import { type OfferingGate, startOfferingGate } from '../egress/offering-gate.ts';
import { buildWorld } from '../egress/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandlot-handed-'));
const path = join(folder, 'hand.sock');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const native = nativeSockets() as NativeSockets;
const children: ChildProcess[] = [];
const accepted: { way: string; destination: AcceptedHandle['destination'] }[] = [];
let door: Listener;

const offer = async (what: string): Promise<OfferingGate> => {
  const gate = await startOfferingGate(path, what);
  children.push(gate.child);
  return gate;
};

const answer = (way: string) => (handle: AcceptedHandle) => {
  accepted.push({ way, destination: handle.destination });
  new Socket({ handle } as object).on('error', () => undefined).end(`${way}\n`);
};

/** What a client of the handed socket is told, or why it is told nothing. */
const ask = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (bytes) => resolve(bytes.toString().trim()));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    socket.on('close', () => resolve('closed'));
  });

const askUntil = async (port: number, wanted: string): Promise<string> => {
  for (;;) {
    const said = await ask(port);
    if (said === wanted) return said;
  }
};

/** What this process has open, by what it is. */
const opened = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // The one by which the folder was read.
    }
  });

/** After an offer of which the last part is taken: the gate's line, its socket, and the output of this test's program. */
const expectThreeMore = async (what: string): Promise<void> => {
  const before = new Set(opened());
  expect(await ask((await offer(what)).port)).toBe('proxy');
  await vi.waitFor(() => expect(opened().filter((one) => !before.has(one))).toHaveLength(3), 5_000);
};

beforeEach(async () => {
  accepted.length = 0;
  door = await openHandedDoor({ path, native, serve: { proxy: answer('proxy'), names: answer('names') } });
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await door.close();
});

test('the connections of a handed socket are accepted here, with where they were made to', async () => {
  const { port } = await offer('P tcp');
  expect(await ask(port)).toBe('proxy');
  expect(accepted).toEqual([{ way: 'proxy', destination: { ip: '127.0.0.1', port } }]);
});

test('the byte says what is spoken on it', async () => {
  expect(await ask((await offer('N tcp')).port)).toBe('names');
});

test('when the gate ends, nobody is answered any more', async () => {
  const { child, port } = await offer('P tcp');
  expect(await ask(port)).toBe('proxy');
  child.kill('SIGKILL');
  expect(await askUntil(port, 'ECONNREFUSED')).toBe('ECONNREFUSED');
});

test('when this side ends, the gate hears of it and the socket is gone', async () => {
  const { port, letGo } = await offer('P tcp');
  expect(await ask(port)).toBe('proxy');
  await door.close();
  await letGo;
  expect(await ask(port)).toBe('ECONNREFUSED');
  door = await openHandedDoor({ path, native, serve: { proxy: answer('proxy'), names: answer('names') } });
});

test.each([
  ['a file', 'P file;P tcp'],
  ['a socket on which nobody listens', 'P deaf;P tcp'],
  ['a datagram socket', 'N udp;P tcp'],
  ['a byte that means nothing', 'Z tcp;P tcp'],
])('%s is let go, and what comes after it is taken', async (_name, what) => {
  await expectThreeMore(what);
});

test('of several in one message the first is taken and none of the others stays open', async () => {
  await expectThreeMore('P tcp file file file udp');
});

test('a gate that says something without a socket is not listened to any more', async () => {
  const { port, letGo } = await offer('P tcp;P');
  await letGo;
  expect(await askUntil(port, 'ECONNREFUSED')).toBe('ECONNREFUSED');
});

test('a gate that is quiet for long is heard when it ends', async () => {
  const { child, port } = await offer('P tcp;wait 1.3');
  expect(await ask(port)).toBe('proxy');
  child.kill('SIGKILL');
  expect(await askUntil(port, 'ECONNREFUSED')).toBe('ECONNREFUSED');
});

test('a gate that hands over more after it was quiet is let go, and may begin anew', async () => {
  const { letGo } = await offer('P tcp;wait 1.3;N tcp');
  await letGo;
  expect(await ask((await offer('P tcp')).port)).toBe('proxy');
});

test('more gates than a sandbox can have are turned away', async () => {
  const [first] = await Promise.all([1, 2, 3, 4].map(() => offer('P tcp')));
  await expect(Promise.race([offer('P tcp').then(({ letGo }) => letGo), first?.letGo])).resolves.toBe('let go');
  expect(await ask(first?.port ?? 0)).toBe('proxy');
});

test('a worker that dies lets its gates go, and the host lives on', async () => {
  const world = await buildWorld();
  const at = join(await world.openSandbox('ses_handed'), 'hand.sock');
  const gates = await Promise.all(['P tcp', 'P tcp;wait 1.3'].map((what) => startOfferingGate(at, what)));
  await world.proxy.crash();
  await Promise.all(gates.map(({ letGo }) => letGo));
  for (const { child } of gates) child.kill('SIGKILL');
  await world.close();
});
