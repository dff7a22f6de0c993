// The web socket of the web door: calls in, replies and events out. One broken client harms nobody else.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { answerFrame, refuseFrame } from '../host/answer-frame.ts';
import type { Host } from '../host/host.ts';
import { createOutbox } from '../host/outbox.ts';

/** A bigger message ends the connection (1009); between this and the bound of a call the answer is `too_large`. */
const maxMessageBytes = 16_777_216;

export interface SocketDoor {
  /** Takes over an upgrade that the guard has let in. */
  accept: (request: IncomingMessage, connection: Duplex, head: Buffer) => void;
  close: () => void;
}

const serve = (host: Host, socket: WebSocket): void => {
  const outbox = createOutbox({
    send: (text, done) => socket.send(text, done),
    unsentBytes: () => socket.bufferedAmount,
    close: () => socket.terminate(),
  });
  const leave = host.enter();
  const unsubscribe = host.events.subscribe(outbox.event);
  socket.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) return outbox.reply(refuseFrame(null, 'Send text, not binary frames.'));
    void answerFrame(host.dispatch, String(data)).then((text) => outbox.reply(text));
  });
  // Garbage on the wire, a reset, a message that is too big: `close` follows.
  socket.on('error', (error) => host.log.debug({ error: error.message }, 'a web socket broke'));
  socket.on('close', () => {
    unsubscribe();
    leave();
  });
};

/** Makes the socket side of the web door. */
export const createSocketDoor = (host: Host): SocketDoor => {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  server.on('connection', (socket) => serve(host, socket));
  return {
    accept: (request, connection, head) =>
      server.handleUpgrade(request, connection, head, (socket) => server.emit('connection', socket, request)),
    close: () => {
      for (const socket of server.clients) socket.close(1001, 'the host ends');
      for (const socket of server.clients) setTimeout(() => socket.terminate(), 500).unref();
      server.close();
    },
  };
};
