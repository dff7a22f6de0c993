// What the kernel can do with sockets and Node cannot: take those that another process hands over, and tell where a connection was made to
// before the firewall sent it here. The only place that calls the C library; on 64-bit Linux alone, elsewhere there is none of it. It waits for
// nothing by the library's own means: a wait that is under way when the worker dies would take the whole host with it.
// Source: unix(7) SCM_RIGHTS, recvmsg(2), socket(7), Linux include/uapi/linux/sock_diag.h (SK_MEMINFO) and
// netfilter_ipv4.h (SO_ORIGINAL_DST).
import { createRequire } from 'node:module';
import type Koffi from 'koffi';

/** One byte and the socket that came with it; `ended` when the peer is gone, null when nothing is there yet. */
export type Taken = { byte: number; socket: number | null } | 'ended' | null;

export interface NativeSockets {
  /** Closes what `takeSocket` answered: a worker of Node complains of descriptors that it does not know. */
  close: (fd: number) => void;
  takeSocket: (fd: number) => Taken;
  /** Reads what is there already, without waiting: how many bytes that were; 0 at the end, less when there is nothing. */
  receive: (fd: number, into: Buffer) => number;
  /** Whether it is a TCP socket over IPv4 on which somebody listens. */
  isListening: (fd: number) => boolean;
  /** Where an accepted connection was made to; null when the kernel does not say. */
  destinationOf: (fd: number) => { ip: string; port: number } | null;
  /** The kernel's memory for what has come and was not read, and for what is to go and was not taken; null when it does not say. */
  heldBy: (fd: number) => Held | null;
  /** Lets both of its buffers be no larger from now on; what is in them stays. */
  narrow: (fd: number, bytes: number) => void;
  /** When it is closed, nothing of what waits in it is kept, and the peer is told that it was cut off. */
  forsake: (fd: number) => void;
}

/** Bytes that a socket holds, each way. */
export interface Held {
  come: number;
  toGo: number;
}

type Library = ReturnType<typeof Koffi.load>;

const dontWait = 0x40; // MSG_DONTWAIT
const receiveFlags = dontWait | 0x4000_0000; // MSG_CMSG_CLOEXEC
const eagain = 11;
const socketLevel = 1; // SOL_SOCKET
const rights = 1; // SCM_RIGHTS
const asks = { type: 3, acceptsConnections: 30, domain: 39 }; // SO_TYPE, SO_ACCEPTCONN, SO_DOMAIN
const sets = { sendBuffer: 7, receiveBuffer: 8, linger: 13 }; // SO_SNDBUF, SO_RCVBUF, SO_LINGER
const memoryInfo = 55; // SO_MEMINFO: nine numbers of 32 bits
/** Of them: what came, what was handed to the network, and what is to be handed or was not acknowledged. */
const memoryAt = { come: 0, sent: 8, queued: 20 };
const memoryBytes = 36;
const inet = 2;
const stream = 1;
const ipLevel = 0;
const originalDestination = 80;
const addressBytes = 16;
/** `struct iovec`, `struct msghdr` and `struct cmsghdr` where a pointer has 8 bytes. */
const iovecBytes = 16;
const msghdrBytes = 56;
const cmsghdrBytes = 16;
/** Room for more descriptors than the one that is awaited, so that the others can be closed. */
const controlBytes = cmsghdrBytes + 4 * 64;

// One message at a time, in memory that stays where it is: the structures hold its addresses.
const receiving = (koffi: typeof Koffi, libc: Library, close: (fd: number) => void): NativeSockets['takeSocket'] => {
  const recvmsg = libc.func('intptr_t recvmsg(int fd, void *message, int flags)');
  const [data, control, iovec, message] = [1, controlBytes, iovecBytes, msghdrBytes].map((bytes) => Buffer.allocUnsafeSlow(bytes)) as [
    ...[Buffer, Buffer, Buffer, Buffer],
  ];
  const point = (at: Buffer, offset: number, to: Buffer): void => {
    at.writeBigUInt64LE(koffi.address(to), offset);
    at.writeBigUInt64LE(BigInt(to.length), offset + 8);
  };
  const prepare = (): void => {
    control.fill(0);
    message.fill(0);
    point(iovec, 0, data);
    point(message, 16, iovec);
    message.writeBigUInt64LE(1n, 24);
    point(message, 32, control);
  };
  const socketWithIt = (): number | null => {
    const isRights = control.readInt32LE(8) === socketLevel && control.readInt32LE(12) === rights;
    const end = isRights ? Math.min(Number(control.readBigUInt64LE(0)), control.length) : 0;
    const found: number[] = [];
    for (let at = cmsghdrBytes; at + 4 <= end; at += 4) found.push(control.readInt32LE(at));
    for (const fd of found.slice(1)) close(fd);
    return found[0] ?? null;
  };
  return (fd) => {
    prepare();
    const count = Number(recvmsg(fd, message, receiveFlags));
    if (count < 0) return koffi.errno() === eagain ? null : 'ended';
    return count === 0 ? 'ended' : { byte: data[0] ?? 0, socket: socketWithIt() };
  };
};

const reading = (libc: Library): NativeSockets['receive'] => {
  const recv = libc.func('intptr_t recv(int fd, void *buffer, size_t length, int flags)');
  return (fd, into) => Number(recv(fd, into, into.length, dontWait));
};

const asking = (libc: Library): Pick<NativeSockets, 'isListening' | 'destinationOf'> => {
  const getsockopt = libc.func('int getsockopt(int fd, int level, int name, void *value, void *length)');
  const getsockname = libc.func('int getsockname(int fd, void *address, void *length)');
  const value = Buffer.allocUnsafeSlow(addressBytes);
  const length = Buffer.allocUnsafeSlow(4);
  const askOption = (fd: number, level: number, name: number): boolean => {
    length.writeUInt32LE(value.length);
    return getsockopt(fd, level, name, value, length) === 0;
  };
  const is = (fd: number, name: number, wanted: number): boolean => askOption(fd, socketLevel, name) && value.readInt32LE(0) === wanted;
  const ownAddress = (fd: number): boolean => {
    length.writeUInt32LE(value.length);
    return getsockname(fd, value, length) === 0;
  };
  return {
    isListening: (fd) => is(fd, asks.domain, inet) && is(fd, asks.type, stream) && is(fd, asks.acceptsConnections, 1),
    destinationOf: (fd) => {
      // What the firewall has not sent here was made to the address that the connection has.
      const isKnown = askOption(fd, ipLevel, originalDestination) || ownAddress(fd);
      if (!isKnown || value.readUInt16LE(0) !== inet) return null;
      return { ip: value.subarray(4, 8).join('.'), port: value.readUInt16BE(2) };
    },
  };
};

const measuring = (libc: Library): NativeSockets['heldBy'] => {
  const getsockopt = libc.func('int getsockopt(int fd, int level, int name, void *value, void *length)');
  const value = Buffer.allocUnsafeSlow(memoryBytes);
  const length = Buffer.allocUnsafeSlow(4);
  return (fd) => {
    length.writeUInt32LE(memoryBytes);
    if (getsockopt(fd, socketLevel, memoryInfo, value, length) !== 0 || length.readUInt32LE(0) < memoryAt.queued + 4) return null;
    const toGo = Math.max(value.readUInt32LE(memoryAt.sent), value.readUInt32LE(memoryAt.queued));
    return { come: value.readUInt32LE(memoryAt.come), toGo };
  };
};

const setting = (libc: Library): Pick<NativeSockets, 'narrow' | 'forsake'> => {
  const setsockopt = libc.func('int setsockopt(int fd, int level, int name, void *value, int length)');
  const set = (fd: number, name: number, ...numbers: number[]): void => {
    setsockopt(fd, socketLevel, name, Buffer.from(Int32Array.from(numbers).buffer), 4 * numbers.length);
  };
  return {
    narrow: (fd, bytes) => {
      // The kernel doubles them, for what it needs itself.
      for (const name of [sets.sendBuffer, sets.receiveBuffer]) set(fd, name, bytes / 2);
    },
    forsake: (fd) => set(fd, sets.linger, 1, 0),
  };
};

const load = (koffi: typeof Koffi): NativeSockets => {
  const libc = koffi.load(null);
  const closeIt = libc.func('int close(int fd)');
  const close = (fd: number): void => void closeIt(fd);
  return {
    close,
    takeSocket: receiving(koffi, libc, close),
    receive: reading(libc),
    ...asking(libc),
    heldBy: measuring(libc),
    ...setting(libc),
  };
};

const canHaveIt = process.platform === 'linux' && ['x64', 'arm64', 'riscv64', 'loong64'].includes(process.arch);

let loaded: NativeSockets | null | undefined;

/** The native calls of this thread; null where there are none, and then gates relay. */
export const nativeSockets = (): NativeSockets | null => {
  if (loaded !== undefined) return loaded;
  try {
    loaded = canHaveIt ? load(createRequire(import.meta.url)('koffi') as typeof Koffi) : null;
  } catch {
    loaded = null; // A machine for which the library has no build.
  }
  return loaded;
};
