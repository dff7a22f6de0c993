// Answers the DNS questions of one sandbox over its second socket, each message behind its length as in DNS over TCP. Nothing is ever asked
// of anybody because of a question. Source: RFC 1035 4.2.2; NETWORK.md 1.6.
import type { Sandbox } from './connection.ts';
import { answerDns, type DnsAsked } from './dns-answer.ts';
import { createDnsFrames, frameDns } from './dns-frames.ts';
import { dropLeg, endLeg, flowLeg, keepBrief, type Leg, legOf, listenToLeg, resumeLeg, writeLeg } from './leg.ts';
import type { Handle } from './listen-socket.ts';
import { decideLoaded, grantTime, isNameOpen } from './loaded-policy.ts';
import { selfTestName } from './synthetic-pool.ts';

const idleMs = 60_000;
/** One question is mostly shorter, and hardly any is a tenth of it. */
const mostInBite = 128;
const nothing = Buffer.alloc(0);
const mostConnections = 256;

const noteAsked = (sandbox: Sandbox, { name, type, outcome }: DnsAsked): void => {
  if (outcome === 'allowed' || name === selfTestName) return;
  const { reason: byPolicy, rule } = decideLoaded(sandbox.loaded, { host: name, port: 443 }, grantTime());
  const reason = outcome === 'full' ? 'limit_exceeded' : byPolicy;
  const startedAtMs = Date.now();
  const tell = () =>
    sandbox.log.note({
      ...{ sandbox_id: sandbox.id, host: name, port: null, protocol: 'dns', mode: 'transparent', verdict: 'blocked', reason, rule },
      ...{ detail: `Asked for its ${type} records.`, policy_revision: sandbox.loaded.revision },
      ...{ bytes_sent: 0, bytes_received: 0, duration_ms: 0, startedAtMs },
    });
  if (outcome === 'blocked') sandbox.asked.ask(name, tell);
  else tell();
};

// A message that is no question gets no answer.
const answer = (sandbox: Sandbox, leg: Leg, message: Buffer): void => {
  const decideName = (name: string) => (isNameOpen(sandbox.loaded, name, grantTime()) ? 'allowed' : 'blocked');
  const { answer: bytes, asked } = answerDns(message, { decideName, pool: sandbox.pool });
  if (asked !== null) noteAsked(sandbox, asked);
  if (bytes !== null) writeLeg(leg, frameDns(bytes));
};

/** Answers what comes, a bite in each of the sandbox's turns; the answered function ends the leg when nothing is left of it. */
const converse = (sandbox: Sandbox, leg: Leg): (() => void) => {
  const frames = createDnsFrames();
  let left = nothing;
  let isWaiting = false;

  const goOn = (): void => {
    if (isWaiting || leg.closed || leg.queued > 0) return;
    if (left.length > 0) {
      isWaiting = true;
      sandbox.share.offer(bite);
    } else if (leg.ended) endLeg(leg);
    else resumeLeg(leg);
  };
  const bite = (): void => {
    isWaiting = false;
    if (leg.closed) return;
    const bytes = left.subarray(0, mostInBite);
    left = left.subarray(bytes.length);
    for (const message of frames.push(bytes)) answer(sandbox, leg, message);
    goOn();
  };

  keepBrief(leg);
  leg.onDrain = goOn;
  flowLeg(leg, (bytes) => {
    left = Buffer.concat([left, bytes]);
    goOn();
    return left.length === 0;
  });
  return goOn;
};

/** Makes what serves accepted connections; those beyond a few hundred are closed at once. */
export const createDnsServer = (sandbox: Sandbox): { serve: (handle: Handle) => void; close: () => void } => {
  const open = new Set<Leg>();
  const serve = (handle: Handle) => {
    if (open.size >= mostConnections) {
      handle.close();
      return;
    }
    const leg = legOf(sandbox.turns, handle);
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
      if (!leg.closed) return goOn();
      open.delete(leg);
      sandbox.watch.remove(watched);
    });
    const goOn = converse(sandbox, leg);
  };
  return {
    serve,
    close: () => {
      for (const leg of open) dropLeg(leg);
    },
  };
};
