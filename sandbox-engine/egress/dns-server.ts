// Answers the DNS questions of one sandbox over its second socket, each message behind its length as in DNS over TCP. Nothing is ever asked
// of anybody because of a question. Source: RFC 1035 4.2.2; NETWORK.md 1.6.
import type { Sandbox } from './connection.ts';
import { answerDns, type DnsAsked } from './dns-answer.ts';
import { createLeg, drainLeg, dropLeg, endLeg, type Leg, listenToLeg, readLeg, skipLeg, writeLeg } from './leg.ts';
import type { Handle } from './listen-socket.ts';
import { decideLoaded, isNameOpen } from './loaded-policy.ts';

/** A question is far shorter; what is longer is none. */
const longestMessage = 4_096;
const idleMs = 60_000;
const mostConnections = 256;

type Frame = { state: 'more' } | { state: 'bad' } | { state: 'frame'; message: Buffer };

const readFrame = (bytes: Buffer): Frame => {
  if (bytes.length < 2) return { state: 'more' };
  const length = bytes.readUInt16BE(0);
  if (length > longestMessage) return { state: 'bad' };
  return bytes.length < 2 + length ? { state: 'more' } : { state: 'frame', message: bytes.subarray(2, 2 + length) };
};

const noteAsked = (sandbox: Sandbox, { name, type, outcome }: DnsAsked): void => {
  if (outcome === 'allowed') return;
  const { reason: byPolicy, rule } = decideLoaded(sandbox.loaded, { host: name, port: 443 }, Date.now());
  const reason = outcome === 'full' ? 'limit_exceeded' : byPolicy;
  const tell = () =>
    sandbox.log.note({
      ...{ sandbox_id: sandbox.id, host: name, port: null, protocol: 'dns', mode: 'transparent', verdict: 'blocked', reason, rule },
      ...{ detail: `Asked for its ${type} records.`, policy_revision: sandbox.loaded.revision },
      ...{ bytes_sent: 0, bytes_received: 0, duration_ms: 0, startedAtMs: Date.now() },
    });
  if (outcome === 'blocked') sandbox.asked.ask(name, tell);
  else tell();
};

const answer = (sandbox: Sandbox, leg: Leg, message: Buffer): boolean => {
  const decideName = (name: string) => (isNameOpen(sandbox.loaded, name, Date.now()) ? 'allowed' : 'blocked');
  const { answer: bytes, asked } = answerDns(Buffer.from(message), { decideName, pool: sandbox.pool });
  if (asked !== null) noteAsked(sandbox, asked);
  if (bytes === null) return false;
  const framed = Buffer.alloc(2 + bytes.length);
  framed.writeUInt16BE(bytes.length, 0);
  bytes.copy(framed, 2);
  writeLeg(leg, framed);
  return true;
};

const converse = async (sandbox: Sandbox, leg: Leg): Promise<void> => {
  for (;;) {
    const frame = await readLeg(leg, readFrame);
    if (frame === null || frame.state !== 'frame') return;
    if (!answer(sandbox, leg, frame.message)) return;
    skipLeg(leg, 2 + frame.message.length);
    await drainLeg(leg);
  }
};

/** Makes what serves accepted connections; those beyond a few hundred are closed at once. */
export const createDnsServer = (sandbox: Sandbox): { serve: (handle: Handle) => void; close: () => void } => {
  const open = new Set<Leg>();
  const serve = (handle: Handle) => {
    if (open.size >= mostConnections) {
      handle.close();
      return;
    }
    const leg = createLeg(sandbox.turns, handle);
    open.add(leg);
    let received = 0;
    let movedAt = performance.now();
    const watched = {
      check: (now: number) => {
        if (leg.received !== received) movedAt = now;
        received = leg.received;
        if (now - movedAt > idleMs) dropLeg(leg);
      },
    };
    sandbox.watch.add(watched);
    listenToLeg(leg, () => {
      if (!leg.closed) return;
      open.delete(leg);
      sandbox.watch.remove(watched);
    });
    const over = () => {
      if (leg.ended) endLeg(leg);
      else dropLeg(leg);
    };
    converse(sandbox, leg).then(over, () => dropLeg(leg));
  };
  return {
    serve,
    close: () => {
      for (const leg of open) dropLeg(leg);
    },
  };
};
