// The proxy that everyone writes first: node:http with `connect`, two sockets and two pipes. What ours is compared with. Says its port.
// Listens at the address that it is given, else on loopback.
import { Agent, createServer, request } from 'node:http';
import { connect } from 'node:net';

const [address = '127.0.0.1'] = process.argv.slice(2);

const agent = new Agent({ keepAlive: true });
const server = createServer((incoming, outgoing) => {
  const { hostname, port, pathname } = new URL(incoming.url ?? '');
  const { method, headers } = incoming;
  const beyond = request({ agent, hostname, port, path: pathname, method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  beyond.on('error', () => outgoing.destroy());
  incoming.pipe(beyond);
});
server.on('connect', (incoming, socket, head) => {
  const [host = '', port = ''] = (incoming.url ?? '').split(':');
  const beyond = connect(Number(port), host, () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    beyond.write(head);
    beyond.pipe(socket);
    socket.pipe(beyond);
  });
  beyond.on('error', () => socket.destroy());
  socket.on('error', () => beyond.destroy());
});
server.listen({ port: 0, host: address, backlog: 2_048 }, () => process.send?.({ port: (server.address() as { port: number }).port }));
