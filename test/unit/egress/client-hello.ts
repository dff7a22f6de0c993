// Makes ClientHellos: real ones, as node:tls sends them, and built ones, in which every part can be wrong.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';

const u8 = (value: number): Buffer => Buffer.from([value]);
const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
export const vector = (width: 1 | 2, bytes: Buffer): Buffer => Buffer.concat([width === 1 ? u8(bytes.length) : u16(bytes.length), bytes]);

/** One extension: its type, its length and its bytes. */
export const extension = (type: number, bytes: Buffer): Buffer => Buffer.concat([u16(type), vector(2, bytes)]);

/** One entry of a server_name list. */
export const nameEntry = (name: string | Buffer, type = 0): Buffer => Buffer.concat([u8(type), vector(2, Buffer.from(name))]);

/** The server_name extension with these entries. */
export const serverName = (...entries: Buffer[]): Buffer => extension(0, vector(2, Buffer.concat(entries)));

export interface HelloParts {
  extensions?: Buffer[] | null;
  session?: Buffer;
  ciphers?: Buffer;
  compression?: Buffer;
  version?: number;
  after?: Buffer;
}

/** The body of a hello; `extensions: null` leaves even their length out, as old clients did. */
export const helloBody = ({ extensions = [], session, ciphers, compression, version = 0x0303, after }: HelloParts = {}): Buffer =>
  Buffer.concat([
    u16(version),
    Buffer.alloc(32, 7),
    vector(1, session ?? Buffer.alloc(32, 1)),
    vector(2, ciphers ?? Buffer.from('1301c02fc030', 'hex')),
    vector(1, compression ?? u8(0)),
    extensions === null ? Buffer.alloc(0) : vector(2, Buffer.concat(extensions)),
    after ?? Buffer.alloc(0),
  ]);

/** A handshake message of a type, by default a ClientHello. */
export const message = (body: Buffer, type = 1): Buffer =>
  Buffer.concat([u8(type), u8(body.length >> 16), u16(body.length & 0xffff), body]);

/** One TLS record. */
export const record = (bytes: Buffer, { type = 0x16, version = 0x0301 } = {}): Buffer =>
  Buffer.concat([u8(type), u16(version), vector(2, bytes)]);

/** A hello in one record. */
export const hello = (parts?: HelloParts): Buffer => record(message(helloBody(parts)));

/** The same message cut into records of so many bytes. */
export const inRecordsOf = (size: number, bytes: Buffer): Buffer => {
  const records: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) records.push(record(bytes.subarray(at, at + size)));
  return Buffer.concat(records);
};

/** What node:tls really sends first. */
export const realHello = async (options: ConnectionOptions): Promise<Buffer> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', ...options }).on('error', () => {});
  const [socket] = await once(server, 'connection');
  const [bytes] = await once(socket, 'data');
  client.destroy();
  socket.destroy();
  server.close();
  return bytes as Buffer;
};
