// Decides who may come in by the web door. Pure: what the request says in, verdict and reason out.
// Source: DNS rebinding is refused by `Host`, foreign pages by `Origin` (RFC 6454), anybody else by token.

export interface Visit {
  host: string | undefined;
  origin: string | undefined;
  /** A session cookie or a bearer token was shown and is good. */
  isKnown: boolean;
  /** Cookies are sent by the browser unasked: a socket opened with one must say which page opened it. */
  mustSayOrigin: boolean;
  port: number;
}

export type GuardVerdict = { allowed: true } | { allowed: false; code: 'unauthorized' | 'forbidden'; reason: string };

const ownAuthorities = (port: number): string[] => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];

const refuse = (code: 'unauthorized' | 'forbidden', reason: string): GuardVerdict => ({ allowed: false, code, reason });

/** Checks address, origin and token of one request, in this order; closed unless all are good. */
export const guard = ({ host, origin, isKnown, mustSayOrigin, port }: Visit): GuardVerdict => {
  const own = ownAuthorities(port);
  if (host === undefined || !own.includes(host.toLowerCase())) {
    return refuse('forbidden', `The request was sent to "${host ?? ''}", which is not this host.`);
  }
  if (origin === undefined && mustSayOrigin) return refuse('forbidden', 'The request does not say which page it comes from.');
  if (origin !== undefined && !own.some((authority) => origin === `http://${authority}`)) {
    return refuse('forbidden', `The page "${origin}" may not talk to this host.`);
  }
  return isKnown ? { allowed: true } : refuse('unauthorized', 'The request carries no token that this host knows.');
};
