// The side of an exec connection that a daemon has.
import type { Duplex } from 'node:stream';

interface ExecSide {
  onBody: (body: Buffer) => void;
  onInput: (bytes: Buffer) => void;
  output: Buffer[];
}

/** Reads a body of the declared length, switches protocols, and takes all that follows for the container's input. */
export const takeExec = (socket: Duplex, head: Buffer, length: number, { onBody, onInput, output }: ExecSide): void => {
  let received = head;
  let isOpen = false;
  const open = (): void => {
    isOpen = true;
    onBody(received.subarray(0, length));
    if (received.length > length) onInput(received.subarray(length));
    socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
    for (const bytes of output) socket.write(bytes);
    if (output.length > 0) socket.end();
  };
  socket.on('data', (bytes: Buffer) => {
    if (isOpen) return onInput(bytes);
    received = Buffer.concat([received, bytes]);
    if (received.length >= length) open();
  });
  socket.on('end', () => socket.end());
  socket.on('error', () => undefined);
  if (received.length >= length) open();
};
