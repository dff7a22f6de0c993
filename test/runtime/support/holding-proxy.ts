// Stands before the socket of a runtime and lets everything through, but for one request at a time that it is told to hold: the runtime
// does it, and its answer never comes. What a host that is killed in that moment has done and does not know.
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface Asked {
  method: string;
  path: string;
  body: string;
}

export interface HoldingProxy {
  socketPath: string;
  /** Holds the first request that matches; resolves when the runtime has answered it, and fails when none comes in a while. */
  hold: (name: string, isIt: (asked: Asked) => boolean) => Promise<void>;
  /** Lets go of what is held: whoever waits is told that the connection broke. */
  letGo: () => void;
  close: () => Promise<void>;
}

interface Rule {
  isIt: (asked: Asked) => boolean;
  tell: () => void;
}

const longestMs = 30_000;

/** Opens it. */
export const openHoldingProxy = async (target: string, socketPath: string): Promise<HoldingProxy> => {
  const rules: Rule[] = [];
  const sockets = new Set<Socket>();
  const held = new Set<ServerResponse>();
  const letGo = (): void => {
    for (const answer of held) answer.destroy();
    held.clear();
    rules.length = 0;
  };
  const take = (asked: Asked): Rule | undefined => {
    const at = rules.findIndex(({ isIt }) => isIt(asked));
    return at < 0 ? undefined : rules.splice(at, 1)[0];
  };
  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const isSmall = Number(asked.headers['content-length'] ?? Number.POSITIVE_INFINITY) < 100_000;
    const body = isSmall ? Buffer.concat(await asked.toArray()) : null;
    const rule = take({ method: asked.method ?? '', path: asked.url ?? '', body: body?.toString() ?? '' });
    const sent = request({ socketPath: target, method: asked.method, path: asked.url, headers: asked.headers }, (got: IncomingMessage) => {
      if (rule === undefined) {
        answer.writeHead(got.statusCode ?? 500, got.headers);
        got.pipe(answer);
        return;
      }
      held.add(answer);
      got.resume().on('end', rule.tell);
    });
    sent.on('error', () => answer.destroy());
    if (body === null) asked.pipe(sent);
    else sent.end(body);
  };
  const server = createServer((asked, answer) => void pass(asked, answer));
  server.on('upgrade', (asked: IncomingMessage, socket: Socket, head: Buffer) => {
    const inside = connect(target);
    const lines = asked.rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${asked.rawHeaders[at + 1]}`] : []));
    inside.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    inside.write(head);
    socket.pipe(inside).pipe(socket);
    socket.on('error', () => inside.destroy());
    inside.on('error', () => socket.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await rm(socketPath, { force: true });
  server.listen(socketPath);
  await once(server, 'listening');
  return {
    socketPath,
    hold: (name, isIt) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`nothing was asked that is "${name}"`)), longestMs);
        const tell = (): void => {
          clearTimeout(late);
          resolve();
        };
        rules.push({ isIt, tell });
      }),
    letGo,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
