// Speaks to the proxy's sockets as the relay in the gate does: one PROXY v2 header before a sandbox's bytes, DNS messages behind their length.
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Answer, decode, encode, type Packet } from 'dns-packet';

/** Where tools that read proxy variables are sent. */
export const explicitProxy = { ip: '198.18.0.1', port: 3128 };

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');

const ipv6Bytes = (ip: string): Buffer => {
  const [head = '', tail = ''] = ip.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = ip.includes('::') ? [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)] : groups(ip);
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
};

/** The header as HAProxy writes it in the gate, where the source equals the destination. */
export const proxyHeader = ({ ip, port }: { ip: string; port: number }): Buffer => {
  const isV6 = ip.includes(':');
  const address = isV6 ? ipv6Bytes(ip) : Buffer.from(ip.split('.').map(Number));
  const ports = Buffer.alloc(4);
  ports.writeUInt16BE(40_000, 0);
  ports.writeUInt16BE(port, 2);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(address.length * 2 + 4, 0);
  return Buffer.concat([signature, Buffer.from([0x21, isV6 ? 0x21 : 0x11]), length, address, address, ports]);
};

/** A connection of a sandbox, wherever it is made. */
export interface RowConnection {
  /** Says that no more is sent. */
  end: () => void;
  send: (bytes: string | Buffer) => void;
  /** All that came so far, as latin1. */
  text: () => string;
  /** Resolves with all that came when `isEnough` says so, or when the connection is over. */
  until: (isEnough: (text: string) => boolean) => Promise<string>;
  /** Resolves with all that came when the connection is over. */
  closed: () => Promise<string>;
  isOver: () => boolean;
}

/** One that is made at the proxy's socket. */
export interface GateConnection extends RowConnection {
  socket: Socket;
}

/** Connects as the relay does for a connection that was made to `destination`; with `allowHalfOpen` it never ends by itself. */
export const connectGate = (folder: string, destination: { ip: string; port: number }, { allowHalfOpen = false } = {}): GateConnection => {
  const socket = connect({ path: join(folder, 'proxy.sock'), allowHalfOpen });
  let text = '';
  let over = false;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
    tell();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    over = true;
    tell();
  });
  socket.write(proxyHeader(destination));
  const until = (isEnough: (text: string) => boolean): Promise<string> =>
    new Promise((resolve) => {
      const look = () => {
        if (!over && !isEnough(text)) return;
        listeners.delete(look);
        resolve(text);
      };
      listeners.add(look);
      look();
    });
  return {
    socket,
    end: () => void socket.end(),
    send: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    text: () => text,
    until,
    closed: () => until(() => false),
    isOver: () => over,
  };
};

/** Sends raw DNS messages over one connection and answers the first `expected` that came back, one buffer a message; null where the connection was closed. */
export const askDnsRaw = (folder: string, messages: Buffer[], expected = messages.length): Promise<(Buffer | null)[]> =>
  new Promise((resolve) => {
    const socket = connect(join(folder, 'dns.sock'));
    const answers: (Buffer | null)[] = [];
    let held = Buffer.alloc(0);
    const settle = () => {
      socket.destroy();
      while (answers.length < expected) answers.push(null);
      resolve(answers);
    };
    socket.on('data', (bytes) => {
      held = Buffer.concat([held, bytes]);
      while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
        answers.push(Buffer.from(held.subarray(2, 2 + held.readUInt16BE(0))));
        held = held.subarray(2 + held.readUInt16BE(0));
      }
      if (answers.length >= expected) settle();
    });
    socket.on('error', settle);
    socket.on('close', settle);
    for (const message of messages) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(message.length, 0);
      socket.write(Buffer.concat([length, message]));
    }
  });

/** Asks for one record. */
export const askDns = async (
  folder: string,
  name: string,
  type: 'A' | 'AAAA' | 'TXT' | 'MX' | 'SRV' | 'ANY' | 'CAA' | 'NULL' = 'A',
): Promise<Packet> => {
  const message = encode({ type: 'query', id: 7, flags: 256, questions: [{ type: type as 'A', name }] });
  const [answer] = await askDnsRaw(folder, [message]);
  if (answer === null || answer === undefined) throw new Error(`No DNS answer for ${name}.`);
  return decode(answer);
};

/** The address that the gate gives a name; null where it gives none. */
export const lookUp = async (folder: string, name: string): Promise<string | null> => {
  const { answers = [] } = await askDns(folder, name);
  const found = answers.find((answer: Answer) => answer.type === 'A');
  return found === undefined ? null : (found as { data: string }).data;
};
