// A server of the public network that speaks real TLS with a certificate of the test's own authority, HTTP/2 and HTTP/1.1, and plain HTTP on
// another port; it serves the files of a folder and writes down which host each request named.
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { serverCertificate, serverKey } from './test-authority.ts';

export interface RealServer {
  tlsPort: number;
  plainPort: number;
  /** Hosts that requests named, in their order. */
  hosts: string[];
  close: () => Promise<void>;
}

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

const listen = (server: { listen: (port: number, address: string, call: () => void) => unknown }): Promise<void> =>
  new Promise((resolve) => void server.listen(0, '127.0.0.1', resolve));

/** Starts it over a folder; `/hello` says hello, and that HTTP/3 is to be had. Who starts it closes it. */
export const startRealServer = async (folder: string): Promise<RealServer> => {
  const hosts: string[] = [];
  const answer = async (request: Request, response: Response): Promise<void> => {
    hosts.push(String(request.headers[':authority'] ?? request.headers.host));
    const path = normalize((request.url ?? '/').replace(/\?.*$/s, ''));
    const body = path === '/hello' ? Buffer.from('hello\n') : await readFile(join(folder, path)).catch(() => null);
    response.setHeader('alt-svc', 'h3=":443"; ma=60');
    response.statusCode = body === null ? 404 : 200;
    (response as ServerResponse).end(body ?? 'not here\n');
  };
  const onRequest = (request: Request, response: Response): void => void answer(request, response);
  const tls = createSecureServer({ key: serverKey, cert: serverCertificate, allowHTTP1: true }, onRequest);
  const plain = createServer(onRequest);
  await Promise.all([listen(tls), listen(plain)]);
  return {
    hosts,
    tlsPort: (tls.address() as AddressInfo).port,
    plainPort: (plain.address() as AddressInfo).port,
    close: async () => {
      plain.closeAllConnections();
      await Promise.all([tls, plain].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
};
