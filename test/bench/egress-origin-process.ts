// The servers behind the proxies of the bench: one that sends without end, one that sends back, one that answers HTTP. Says its ports to its
// parent, or as a line where it has none: in a container. Listens at the address that it is given, else on loopback.
import { createServer, type Server, type Socket } from 'node:net';

const [address = '127.0.0.1'] = process.argv.slice(2);

const piece = Buffer.alloc(1 << 20, 97);
const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello');

const pour = (socket: Socket): void => {
  const go = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', go).resume();
  go();
};

const echo = (socket: Socket): void => {
  socket.setNoDelay();
  socket.on('data', (bytes) => socket.write(bytes));
};

const web = (socket: Socket): void => {
  socket.setNoDelay();
  socket.on('data', (bytes) => {
    for (let at = bytes.indexOf('\r\n\r\n'); at !== -1; at = bytes.indexOf('\r\n\r\n', at + 4)) socket.write(answer);
  });
};

const listen = async (serve: (socket: Socket) => void): Promise<number> => {
  const server: Server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: address, backlog: 2_048 }, resolve));
  return (server.address() as { port: number }).port;
};

const ports = { source: await listen(pour), echo: await listen(echo), web: await listen(web) };
if (process.send === undefined) console.log(JSON.stringify(ports));
else process.send(ports);
