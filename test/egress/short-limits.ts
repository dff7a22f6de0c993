// What the tests of the policy proxy's limits share: limits that a test can wait for, and the ways into its sockets.
import { expect } from 'vitest';
import { connectTo, tls } from './corpus/row.ts';
import { connectGate, explicitProxy, type GateConnection, lookUp } from './gate-client.ts';

/** Limits that end within a second or so. */
export const shortLimits = {
  tellMs: 10,
  headMs: 700,
  helloMs: 500,
  idleMs: 1_200,
  halfOpenMs: 500,
  lingerMs: 300,
  resolveMs: 800,
  connectionsOfSandbox: 200,
};

/** A transparent connection to what the sandbox's DNS answers for a name. */
export const openStraight = async (folder: string, name: string, port: number): Promise<GateConnection> =>
  connectGate(folder, { ip: (await lookUp(folder, name)) ?? '', port });

/** A CONNECT that was granted. */
export const openTunnel = async (folder: string, authority: string): Promise<GateConnection> => {
  const connection = connectGate(folder, explicitProxy);
  connection.send(connectTo(authority));
  await connection.until((text) => text.includes('established'));
  return connection;
};

/** Sees an allowed request of this sandbox work; answers the milliseconds that it took. */
export const seeItWork = async (folder: string): Promise<number> => {
  const began = performance.now();
  const connection = await openStraight(folder, 'allowed.test', 443);
  connection.send(tls('allowed.test'));
  expect(await connection.until((text) => text.includes('\n'))).toBe('tls:allowed.test\n');
  connection.socket.destroy();
  return performance.now() - began;
};
