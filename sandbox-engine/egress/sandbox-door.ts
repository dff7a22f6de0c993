// The sockets of one sandbox, or its one port, and what is open behind them. They exist only while its policy is loaded.

import { join } from 'node:path';
import type { OwnAddresses } from './address.ts';
import { type Admission, type Crowd, createAdmission } from './admission.ts';
import { createAskedNames } from './asked-names.ts';
import type { Backlog } from './backlog.ts';
import { openCarriedDoor } from './carried-door.ts';
import { type Connection, cutConnection, ruleOn, type Sandbox, type Traffic, trafficOf } from './connection.ts';
import { createDnsServer } from './dns-server.ts';
import { openHandedDoor } from './handed-door.ts';
import { type Listener, listenSocket } from './listen-socket.ts';
import { grantTime, hasGrantEnded, loadPolicy, type SandboxPolicy } from './loaded-policy.ts';
import { nativeSockets } from './native-sockets.ts';
import { serveConnection } from './proxy-connection.ts';
import { createShare } from './share.ts';
import { createSyntheticPool } from './synthetic-pool.ts';
import type { Turns } from './turns.ts';
import type { OpenSandbox } from './worker-messages.ts';

export interface SandboxDoor {
  /** Closes what is no longer allowed; answers how many connections that were. @throws network_policy_not_supported */
  setPolicy: (policy: SandboxPolicy) => number;
  traffic: () => Traffic;
  close: () => Promise<void>;
}

export interface DoorOptions {
  sandbox: Omit<Sandbox, 'id' | 'loaded' | 'connections' | 'traffic' | 'pool' | 'asked' | 'share' | 'turns'>;
  /** Makes the turns of one sandbox. */
  turnsOf: () => Turns;
  backlog: Backlog;
  /** Told of each name that got an address, so that a proxy after this one gives it the same. */
  onName: (sandboxId: string, name: string, address: string) => void;
  crowd: Crowd;
  /** The addresses of this computer, of now. */
  own: () => OwnAddresses;
}

const isStillAllowed = (connection: Connection): boolean => {
  const { ruling, upstream } = connection;
  if (ruling === null) return true;
  const now = ruleOn(connection, ruling);
  if (now.verdict === 'blocked') return false;
  const isUnseen = ruling.protocol === 'tcp' && now.protocol !== 'tcp';
  return !isUnseen && (upstream?.addressClass !== 'private' || now.allowPrivate);
};

const cutForbidden = ({ connections }: Sandbox): number => {
  const forbidden = [...connections].filter((connection) => !isStillAllowed(connection));
  for (const connection of forbidden) cutConnection(connection, 'policy_changed', 'The policy no longer allows it.');
  return forbidden.length;
};

const noteTurnedAway = ({ id, log, loaded }: Sandbox): void =>
  log.note({
    ...{ sandbox_id: id, host: null, port: null, protocol: 'unknown', mode: 'transparent', verdict: 'blocked', reason: 'limit_exceeded' },
    ...{ rule: null, detail: 'The sandbox has too many connections open.', policy_revision: loaded.revision },
    ...{ bytes_sent: 0, bytes_received: 0, duration_ms: 0, startedAtMs: Date.now() },
  });

const admissionOf = (sandbox: Sandbox, crowd: Crowd): Admission => {
  const admission = createAdmission({
    ...{ limits: sandbox.limits, crowd, turnsInLast: sandbox.turns.inLast, onRefused: () => noteTurnedAway(sandbox) },
    begin: (handle) => void serveConnection(sandbox, handle).finally(admission.leave),
  });
  return admission;
};

const tellingPool = (kept: [string, string][], onNew: (name: string, address: string) => void): Sandbox['pool'] => {
  const pool = createSyntheticPool(kept);
  const told = new Set(kept.map(([name]) => name));
  return {
    ...pool,
    addressOf: (name) => {
      const address = pool.addressOf(name);
      if (address === null || told.has(name)) return address;
      told.add(name);
      onNew(name, address);
      return address;
    },
  };
};

// A grant ends by itself, and what it allowed with it. Questions that no connection followed are written down.
const watchTime = (sandbox: Sandbox): (() => void) => {
  let lookedAt = grantTime();
  const watched = {
    check: (nowMs: number) => {
      sandbox.asked.check(nowMs);
      const now = grantTime();
      if (hasGrantEnded(sandbox.loaded, lookedAt, now)) cutForbidden(sandbox);
      lookedAt = now;
    },
  };
  sandbox.watch.add(watched);
  return () => sandbox.watch.remove(watched);
};

/** Loads the policy, then opens the sockets. Who opens it closes it. @throws network_policy_not_supported @throws internal */
export const openSandboxDoor = async (
  given: OpenSandbox,
  { sandbox: shared, turnsOf, backlog, onName, crowd, own }: DoorOptions,
): Promise<SandboxDoor> => {
  const sandbox: Sandbox = {
    ...{ ...shared, id: given.sandboxId, loaded: loadPolicy(given, own), connections: new Set<Connection>(), asked: createAskedNames() },
    traffic: { sent: 0, received: 0 },
    turns: turnsOf(),
    share: createShare(shared.limits.beginsInTurn),
    pool: tellingPool(given.names ?? [], (name, address) => onName(given.sandboxId, name, address)),
  };
  const dns = createDnsServer(sandbox);
  const admission = admissionOf(sandbox, crowd);
  const stopTime = watchTime(sandbox);
  backlog.add(sandbox);
  const listeners: Listener[] = [];
  const close = async (): Promise<void> => {
    stopTime();
    backlog.remove(sandbox);
    await Promise.all(listeners.map((listener) => listener.close()));
    admission.stop();
    dns.close();
    for (const connection of sandbox.connections) cutConnection(connection, 'gate_down', 'The sandbox has ended.');
    sandbox.log.forget(sandbox.id);
  };
  try {
    const serve = { proxy: admission.admit, names: dns.serve };
    if (given.carried !== undefined) {
      listeners.push(await openCarriedDoor({ place: given.carried, turns: sandbox.turns, watch: shared.watch, serve }));
    } else {
      const inFolder = (name: string) => join(given.socketFolder, name);
      listeners.push(await listenSocket(inFolder('dns.sock'), dns.serve));
      listeners.push(await listenSocket(inFolder('proxy.sock'), admission.admit));
      const native = nativeSockets();
      if (native !== null) listeners.push(await openHandedDoor({ path: inFolder('hand.sock'), native, serve }));
    }
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    setPolicy: (policy) => {
      sandbox.loaded = loadPolicy(policy, own);
      return cutForbidden(sandbox);
    },
    traffic: () => trafficOf(sandbox),
    close,
  };
};
