// Ends a connection, or one request of it, that is refused: says why where the protocol can say it, writes it down, and lets the client read
// the answer before the connection is gone.
import type { Attempt, EgressReason } from '../contract/model/network.ts';
import { type Connection, limitConnection, noteBlocked, type Ruling } from './connection.ts';
import { writeDenial } from './denial.ts';
import { explain } from './explain.ts';
import { dropLeg, endLeg, flowLeg, type Leg, listenToLeg, writeLeg } from './leg.ts';

/** Bytes of a refused client that are still read. */
const mostLingering = 256 * 1024;

// A fatal alert "access_denied", as a server writes it before any key is agreed. Source: RFC 8446 6 and 5.1.
const tlsAlert = Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 49]);

const whenClosed = (leg: Leg): Promise<void> =>
  new Promise((resolve) => {
    if (leg.closed) {
      resolve();
      return;
    }
    listenToLeg(leg, () => {
      if (leg.closed) resolve();
    });
  });

/** Ends our side and waits until the client has ended its own: closing while it still sends would destroy the answer on its way. */
export const lingerAndClose = async (connection: Connection): Promise<void> => {
  const { client, sandbox, upstream } = connection;
  if (upstream !== null) dropLeg(upstream.leg);
  limitConnection(connection, sandbox.limits.lingerMs, 'start');
  const until = client.received + mostLingering;
  endLeg(client);
  // What is beyond that stays unread until the time is over: to cut it off at once could take the answer away on its way over TCP.
  flowLeg(client, () => client.received <= until);
  await whenClosed(client);
};

/** Refuses a TLS connection: there is no certificate of ours, so the only answer is an alert. */
export const refuseTls = async (connection: Connection): Promise<void> => {
  writeLeg(connection.client, tlsAlert);
  await lingerAndClose(connection);
};

/** A request that is refused. */
export interface RefusedRequest {
  status: number;
  reason: EgressReason;
  detail: string | null;
  /** What it wanted to reach; null when that could not be read. */
  destination: Pick<Ruling, 'host' | 'port'> | null;
  rule?: number | null;
  protocol: Attempt['protocol'];
  method: string;
  keepAlive: boolean;
}

/** Writes the attempt down and answers the request. */
export const answerRefused = (connection: Connection, refused: RefusedRequest): void => {
  const { destination, status, reason, detail, keepAlive, method, protocol, rule = null } = refused;
  noteBlocked(connection, { host: destination?.host ?? null, port: destination?.port ?? null, protocol, reason, rule, detail });
  const explanation = destination === null ? null : explain(connection.sandbox.loaded.compiled, destination, reason);
  // What is malformed, or names two hosts, is explained by what is wrong with it, not by the rules.
  const isAboutRules = status === 403 || status === 502;
  writeLeg(
    connection.client,
    writeDenial({ status, reason, detail, explanation: isAboutRules ? explanation : null, keepAlive, withBody: method !== 'HEAD' }),
  );
};
