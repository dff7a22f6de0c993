// Runs one row of the corpus, at the proxy's sockets or inside a sandbox, and gathers what came of it, in the words of the row.

import type { NetworkPolicy } from '../../sandbox-engine/contract/model/network.ts';
import { type Piece, type Row, type RowWorld, type To, tls } from './corpus/row.ts';
import { connectGate, explicitProxy, lookUp, type RowConnection } from './gate-client.ts';
import type { World } from './world.ts';
import { policyP1 } from './world-policy.ts';

/** What a row says must come of it; `after` is what an allowed request got within two seconds. */
export type Outcome = Required<Pick<Row, 'back' | 'log' | 'asks' | 'reaches'>> & { canaries: number; after: string };

const told = /HTTP\/1\.1 (\d{3})|((?:tls|http|tcp):[\w.-]+)|(\x15\x03\x01\x00\x02\x02\x31)/g;

/** What came back, in short. */
export const tokensOf = (text: string): string[] => [...text.matchAll(told)].map(([, status, sink]) => status ?? sink ?? 'alert');

const destinationOf = async (folder: string, to: To): Promise<{ ip: string; port: number }> => {
  if (to === 'proxy') return explicitProxy;
  if ('address' in to) return { ip: to.address, port: to.port };
  const ip = await lookUp(folder, to.name);
  if (ip === null) throw new Error(`${to.name} has no address in the sandbox.`);
  return { ip, port: to.port };
};

const sendAll = async (connection: RowConnection, pieces: Piece[]): Promise<void> => {
  for (const piece of pieces) {
    if (typeof piece === 'string' || Buffer.isBuffer(piece)) connection.send(piece);
    else {
      await connection.until((text) => text.includes(piece.after));
      connection.send(piece.send);
    }
  }
};

const whole = <T>(value: T | ((world: RowWorld) => T), world: RowWorld): T =>
  typeof value === 'function' ? (value as (world: RowWorld) => T)(world) : value;

/** What the row expects, with its defaults written out. */
export const expectedOf = (row: Row, { canaryPort }: RowWorld, isInside = false): Outcome => {
  const { back, log, asks, reaches } = { ...row, ...(isInside ? row.inside : {}) };
  const allowed = log.filter((line) => line.startsWith('allowed ')).map((line) => line.slice('allowed '.length).replace(/:\d+$/, ''));
  return {
    back,
    log: log.map((line) => line.replace('PORT', String(canaryPort))),
    asks: asks ?? allowed,
    reaches: reaches ?? allowed,
    canaries: 0,
    after: 'tls:allowed.test\n',
  };
};

const lineOf = ({ reason, host, port }: { reason: string; host: string | null; port: number | null }): string =>
  host === null ? `${reason} -` : `${reason} ${host}:${port}`;

let count = 0;

/** Where a row is run: what it sends goes in there. */
export interface RowPlace {
  isInside: boolean;
  /** Has the proxy listen there for this sandbox. */
  open: (sandboxId: string, policy?: NetworkPolicy) => Promise<string>;
  connect: (to: To) => Promise<RowConnection>;
}

/** At the proxy's own sockets, as the relay of a gate would. */
const atSockets = (world: World): RowPlace => {
  let folder = '';
  return {
    isInside: false,
    open: async (sandboxId, policy) => {
      folder = await world.openSandbox(sandboxId, policy);
      return folder;
    },
    connect: async (to) => connectGate(folder, await destinationOf(folder, to)),
  };
};

const afterMs = 2_000;

/** What an allowed request of the same sandbox gets, under P1. */
const requestAfter = async (world: World, place: RowPlace, sandboxId: string): Promise<string> => {
  const began = performance.now();
  await world.setPolicy(sandboxId, policyP1);
  const connection = await place.connect({ name: 'allowed.test', port: 443 });
  connection.send(tls('allowed.test'));
  const text = await connection.until((seen) => seen.includes('\n'));
  connection.end();
  return performance.now() - began < afterMs ? text : `late: ${text}`;
};

/** Runs the row for a sandbox of its own. */
export const runRow = async (world: World, rowWorld: RowWorld, row: Row, place = atSockets(world)): Promise<Outcome> => {
  count += 1;
  const sandboxId = `ses_row${count}`;
  const asked = world.questions.length;
  const before = new Map([...world.sinks].map(([name, sink]) => [name, sink.received().length]));
  const canariesBefore = world.canaries.reduce((sum, canary) => sum + canary.connections(), 0);
  for (const [name, answers] of Object.entries(row.answers?.(rowWorld) ?? {})) world.answers.set(name, answers);
  await place.open(sandboxId, row.policy?.(rowWorld));
  const connection = await place.connect(whole(row.to, rowWorld));
  await sendAll(connection, whole(row.send, rowWorld));
  if (row.back.length > 0) await connection.until((text) => tokensOf(text).length >= row.back.length);
  if (row.back.length > 0) connection.end();
  const text = await connection.closed();
  const { log } = expectedOf(row, rowWorld, place.isInside);
  const attempts = await world.attempted(sandboxId, (list) => list.length >= log.length);
  const seen = {
    ...{ back: tokensOf(text), log: attempts.map(lineOf), asks: world.questions.slice(asked) },
    reaches: [...world.sinks]
      .filter(([name, sink]) => name !== row.mayReach && sink.received().length > (before.get(name) ?? 0))
      .map(([name]) => name),
    canaries: world.canaries.reduce((sum, canary) => sum + canary.connections(), 0) - canariesBefore,
  };
  world.answers.clear();
  const after = await requestAfter(world, place, sandboxId);
  await world.proxy.close(sandboxId);
  return { ...seen, after };
};
