// One server in the place of the public network behind the policy proxy: `shop.example` is there and nothing else.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { EngineOptions } from '../../sandbox-engine/index.ts';

export interface ShopServer {
  upstream: NonNullable<EngineOptions['upstream']>;
  /** Connections that asked for `/slow`: they are answered for ever. */
  slow: Socket[];
  close: () => void;
}

/** Whoever starts it closes it. */
export const startShopServer = async (): Promise<ShopServer> => {
  const slow: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes) => {
      const isSlow = bytes.toString('latin1').startsWith('GET /slow');
      if (isSlow) slow.push(socket);
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${isSlow ? 1_000_000 : 6}\r\n\r\n`);
      socket.write(isSlow ? 'begun\n' : 'hello\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    slow,
    upstream: {
      resolve: async (name) =>
        name === 'shop.example' ? { ok: true, addresses: ['20.0.0.9'], ttlSeconds: 0 } : { ok: false, detail: `There is no ${name}.` },
      routes: [{ address: '20.0.0.9', to: { address: '127.0.0.1', port } }],
    },
    close: () => void server.close(),
  };
};

/** As a program without proxy variables asks: `fetch HOST PATH` prints what comes back. */
export const fetchInBash =
  "fetch() { exec 5<>/dev/tcp/$1/80; printf 'GET %s HTTP/1.1\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n' $2 $1 >&5; timeout ${3:-5} head -n ${4:-1} <&5; }";
