// A small registry of packages: a real HTTP server on loopback that answers from a table and remembers what it was asked. Names and
// addresses of the public network are led to it, so that every check of names and addresses stands before it.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFetchChecked, type FetchChecked } from '../../../sandbox-engine/egress/fetch-checked.ts';

interface FakeAnswer {
  status?: number;
  location?: string;
  body?: string;
}

export interface FakeRegistry {
  /** Set for each test: answers by `host/path`. */
  answers: Record<string, FakeAnswer>;
  /** `GET host/path` of all requests so far. */
  asked: string[];
  headers: IncomingMessage['headers'][];
  /** Every name that was looked up. */
  lookedUp: string[];
  /** Addresses by name; a name that is not here is public. */
  names: Record<string, string[]>;
  fetchChecked: FetchChecked;
  close: () => Promise<void>;
}

/** Starts it. A host without an answer answers 404. */
export const startFakeRegistry = async (limitMs = 2000): Promise<FakeRegistry> => {
  const server = createServer((request, response) => {
    registry.asked.push(`${request.method} ${request.headers.host}${request.url}`);
    registry.headers.push(request.headers);
    const found = registry.answers[`${request.headers.host}${request.url}`];
    response.writeHead(
      found?.status ?? (found === undefined ? 404 : 200),
      found?.location === undefined ? {} : { location: found.location },
    );
    response.end(found?.body ?? '');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const registry: FakeRegistry = {
    ...{ answers: {}, asked: [], headers: [], lookedUp: [], names: {} },
    fetchChecked: createFetchChecked({
      limitMs,
      own: () => ({ interfaces: ['20.9.9.9'], gateways: [], ownPorts: [4000] }),
      route: (_address, asked) => (asked === 9 ? null : { address: '127.0.0.1', port }),
      resolve: async (name) => {
        registry.lookedUp.push(name);
        return name === 'nowhere.test'
          ? { ok: false, detail: 'No answer.' }
          : { ok: true, addresses: registry.names[name] ?? ['20.0.0.9'], ttlSeconds: 0 };
      },
    }),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return registry;
};
