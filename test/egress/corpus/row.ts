// One row of the corpus: what a sandboxed program does with one connection, and what must come of it. Data, so that the same rows run at the
// proxy's sockets and inside a real sandbox. Source: NETWORK.md 2.
import type { NetworkPolicy } from '../../../sandbox-engine/contract/model/network.ts';
import type { Answer } from '../../../sandbox-engine/egress/resolve.ts';
import { extension, hello, nameEntry, serverName } from '../../unit/egress/client-hello.ts';

/** Where the connection is made to: a name that is looked up in the sandbox, an address, or the proxy that variables name. */
export type To = { name: string; port: number } | { address: string; port: number } | 'proxy';

/** Bytes that are sent at once, or when what came back holds a text. */
export type Piece = string | Buffer | { after: string; send: string | Buffer };

/** What a row may know of the world only when it runs. */
export interface RowWorld {
  /** A port on which canaries listen, on every address of this computer; the app's own port too. */
  canaryPort: number;
  /** An address of this computer that is not loopback; loopback where it has none. */
  lanAddress: string;
}

export interface Row {
  /** Its id in NETWORK.md; rows of one id differ in `what`. */
  id: string;
  what: string;
  /** P1 when absent. */
  policy?: (world: RowWorld) => NetworkPolicy;
  /** What the resolver answers otherwise than usual. */
  answers?: (world: RowWorld) => Record<string, (Answer | 'silent')[]>;
  to: To | ((world: RowWorld) => To);
  send: Piece[] | ((world: RowWorld) => Piece[]);
  /** What comes back, in short: HTTP statuses, `tls:NAME`, `http:NAME`, `tcp:NAME` from the sink that answered, `alert`. */
  back: string[];
  /** The attempts that are written down: reason and destination. PORT stands for the canaries' port. */
  log: string[];
  /** The resolver's questions; those of the allowed attempts when absent. */
  asks?: string[];
  /** Sinks that bytes reached; those of the allowed attempts when absent. */
  reaches?: string[];
  /** A sink that may have got the beginning, or not: a relay cuts a stream where it likes. */
  mayReach?: string;
  /** What is otherwise where a real sandbox does not even get as far as the proxy. */
  inside?: Pick<Row, 'back' | 'log'>;
}

/** A greeting for a name; null says none. */
export const tls = (name: string | Buffer | null, ...more: Buffer[]): Buffer =>
  hello({ extensions: [...(name === null ? [] : [serverName(nameEntry(name))]), ...more] });

/** Extensions that change nothing about the host: a reserved value, a ticket, protocols. */
export const harmless = [
  extension(0x0a0a, Buffer.alloc(0)),
  extension(35, Buffer.alloc(64, 5)),
  extension(16, Buffer.from('000302683a', 'hex')),
];

/** A request of HTTP/1.1 without a body. */
export const get = (target: string, host: string, more = ''): string => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;

/** A request for a tunnel. */
export const connectTo = (authority: string, host = authority): string => `CONNECT ${authority} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

/** The end of the proxy's answer that a tunnel is there. */
export const established = 'established\r\n\r\n';

/** A tunnel and what is sent through it once it is there. */
export const through = (authority: string, ...pieces: (string | Buffer)[]): Piece[] => [
  connectTo(authority),
  ...pieces.map((send, index) => (index === 0 ? { after: established, send } : send)),
];

/** TLS to a host by both ways: straight, and by the proxy that variables name. */
export const bothWays = (id: string, what: string, host: string, rest: Pick<Row, 'log'> & Partial<Row>): Row[] => {
  const isAllowed = rest.log[0]?.startsWith('allowed') === true;
  const sink = rest.log[0]?.replace(/^\S+ /, '').replace(/:.*/, '');
  const straight = isAllowed ? [`tls:${sink}`] : ['alert'];
  return [
    { id, what: `${what}, straight`, to: { name: host, port: 443 }, send: [tls(host)], back: straight, ...rest },
    {
      ...{ id, what: `${what}, by the proxy`, to: 'proxy', ...rest },
      send: isAllowed ? through(`${host}:443`, tls(host)) : [connectTo(`${host}:443`)],
      back: isAllowed ? ['200', `tls:${sink}`] : ['403'],
    },
  ];
};
