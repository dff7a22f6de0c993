// Opens the way from a connection to what was allowed on it.
import type { Connection, Ruling } from './connection.ts';
import type { Dialled } from './dial.ts';
import { dropLeg } from './leg.ts';

/** Opens the way to an allowed destination, or uses the one that is open to the same; another one that was open is closed. */
export const reachUpstream = async (connection: Connection, ruling: Ruling): Promise<Dialled> => {
  const { sandbox, upstream } = connection;
  if (upstream !== null && upstream.host === ruling.host && upstream.port === ruling.port) {
    return { ok: true, leg: upstream.leg, address: '', addressClass: upstream.addressClass };
  }
  if (upstream !== null) dropLeg(upstream.leg);
  connection.upstream = null;
  if (connection.exchange !== null) {
    connection.exchange.sentBefore = 0;
    connection.exchange.receivedBefore = 0;
  }
  const dialled = await sandbox.dial({
    host: ruling.host,
    kind: ruling.kind,
    port: ruling.port,
    allowPrivate: ruling.allowPrivate,
    turns: sandbox.turns,
    onTry: (leg) => {
      connection.dialling = leg;
    },
    isGone: () => connection.client.closed || connection.cut !== null,
  });
  if (!dialled.ok) return dialled;
  // The policy may have changed meanwhile, or the client gone: then not a byte goes there.
  if (connection.cut !== null || connection.client.closed) {
    dropLeg(dialled.leg);
    return { ok: false, reason: 'upstream_failed', detail: connection.cut?.detail ?? 'The client has gone.' };
  }
  connection.upstream = { leg: dialled.leg, host: ruling.host, port: ruling.port, addressClass: dialled.addressClass };
  return dialled;
};
