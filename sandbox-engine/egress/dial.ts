// Opens the connection to an allowed destination: looks the name up, judges every answer by the floor, dials a judged address and checks
// that it is the one reached. The name is never dialled. Source: NETWORK.md 1.3.
import type { EgressReason } from '../contract/model/network.ts';
import { type AddressClass, classifyAddress, type OwnAddresses, readIpAddress } from './address.ts';
import { createLeg, dropLeg, type Leg, listenToLeg } from './leg.ts';
import type { Resolve } from './resolve.ts';
import type { Turns } from './turns.ts';
import type { Watch } from './watch.ts';

/** What to reach: a canonical host, as the policy decided about it. */
export interface DialRequest {
  host: string;
  kind: 'name' | 'ipv4' | 'ipv6';
  port: number;
  allowPrivate: boolean;
  /** Of the sandbox for which it is reached. */
  turns: Turns;
  /** Told of each end that is being connected, so that it can be dropped; null when there is none. */
  onTry: (leg: Leg | null) => void;
  /** True when nobody waits for it any more. */
  isGone: () => boolean;
}

export type Dialled =
  | { ok: true; leg: Leg; address: string; addressClass: AddressClass }
  | {
      ok: false;
      reason: Extract<EgressReason, 'resolve_failed' | 'private_address' | 'special_address' | 'upstream_failed'>;
      detail: string;
    };

export type Dial = (request: DialRequest) => Promise<Dialled>;

/** Where an address really is: tests put the public network on local ports. Null is nowhere. */
export type Route = (address: string, port: number) => { address: string; port: number } | null;

export interface DialOptions {
  watch: Watch;
  resolve: Resolve;
  own: () => OwnAddresses;
  connectMs: number;
  route?: Route;
}

interface Target {
  address: string;
  addressClass: AddressClass;
}

/** Addresses of one name that are tried before it counts as failed. */
const mostTries = 4;

const isSame = (a: string | undefined, b: string): boolean => a === b || readIpAddress(a ?? '')?.ip === readIpAddress(b)?.ip;

const connect = (request: DialRequest, { watch, route }: DialOptions, address: string, connectMs: number): Promise<Leg | string> =>
  new Promise((resolve) => {
    const place = route === undefined ? { address, port: request.port } : route(address, request.port);
    if (place === null) {
      resolve('Nothing is there.');
      return;
    }
    const leg = createLeg(request.turns);
    request.onTry(leg);
    let problem = 'The connection was closed.';
    const fail = (text: string) => {
      problem = text;
      dropLeg(leg);
    };
    const until = performance.now() + connectMs;
    const watched = {
      check: (now: number) => {
        if (now > until) fail('It did not answer in time.');
      },
    };
    watch.add(watched);
    const deafen = listenToLeg(leg, () => {
      if (leg.closed) settle(problem);
      else dropLeg(leg);
    });
    const settle = (outcome: Leg | string) => {
      watch.remove(watched);
      deafen();
      request.onTry(null);
      resolve(outcome);
    };
    leg.socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      problem = code === 'ECONNREFUSED' ? 'It refused the connection.' : `It could not be reached (${code}).`;
    });
    leg.socket.connect({ host: place.address, port: place.port, noDelay: true }, () => {
      if (isSame(leg.socket.remoteAddress, place.address)) settle(leg);
      else fail('The connection reached another address than the checked one.');
    });
  });

// Only public answers count; private ones where the rule says so. What is left out decides the reason.
const choose = (classed: Target[], allowPrivate: boolean): Target[] | 'private_address' | 'special_address' => {
  const open = classed.filter(({ addressClass }) => addressClass === 'public' || (allowPrivate && addressClass === 'private'));
  if (open.length > 0) return open;
  return classed.some(({ addressClass }) => addressClass === 'private') ? 'private_address' : 'special_address';
};

const inWords = (request: DialRequest, classed: Target[], reason: 'private_address' | 'special_address'): string => {
  const addresses = classed.map(({ address }) => address).join(', ');
  const what =
    reason === 'private_address' ? 'a private address; a rule has to say "allow_private": true' : 'an address that no rule can allow';
  return request.kind === 'name' ? `${request.host} is ${addresses}: ${what}.` : `${request.host} is ${what}.`;
};

const mostClassed = 4_096;

// Judges by the floor; remembers it for as long as the computer's own addresses stay the same object.
const rememberClasses = (own: () => OwnAddresses): ((address: string, port: number) => AddressClass) => {
  const classes = new Map<string, AddressClass>();
  let judgedWith: OwnAddresses | null = null;
  return (address, port) => {
    const now = own();
    if (now !== judgedWith || classes.size >= mostClassed) classes.clear();
    judgedWith = now;
    const key = `${address} ${port}`;
    const known = classes.get(key) ?? classifyAddress(address, now, port);
    classes.set(key, known);
    return known;
  };
};

/** Makes the dialler. `own` is asked each time, since a computer's addresses change; it answers another object when they did. */
export const createDial = (options: DialOptions): Dial => {
  const classOf = rememberClasses(options.own);

  const find = async ({ host, kind }: DialRequest): Promise<string[] | string> => {
    if (kind === 'ipv4') return [host];
    if (kind === 'ipv6') return [host.slice(1, -1)];
    const answer = await options.resolve(host);
    if (!answer.ok) return answer.detail;
    return answer.addresses.length > 0 ? answer.addresses : `The name ${host} has no address.`;
  };

  const tryEach = async (request: DialRequest, targets: Target[]): Promise<Dialled> => {
    let detail = 'Nobody waits for it any more.';
    const until = performance.now() + options.connectMs;
    for (const [index, { address, addressClass }] of targets.entries()) {
      const left = until - performance.now();
      if (request.isGone() || left <= 0) break;
      // One that does not answer leaves time for the others.
      const connectMs = index + 1 < targets.length ? Math.min(left, options.connectMs / 3) : left;
      const reached = await connect(request, options, address, connectMs);
      if (typeof reached !== 'string') return { ok: true, leg: reached, address, addressClass };
      detail = `${request.host}:${request.port} (${address}): ${reached}`;
    }
    return { ok: false, reason: 'upstream_failed', detail };
  };

  return async (request) => {
    const addresses = await find(request);
    if (typeof addresses === 'string') return { ok: false, reason: 'resolve_failed', detail: addresses };
    const classed = addresses.map((address) => ({ address, addressClass: classOf(address, request.port) }));
    const chosen = choose(classed, request.allowPrivate);
    if (typeof chosen === 'string') return { ok: false, reason: chosen, detail: inWords(request, classed, chosen) };
    return await tryEach(request, chosen.slice(0, mostTries));
  };
};
