// The client of the proxies: one measurement a run, told as JSON to its parent, or as a line where it has none: in a container. Its own
// garbage is kept out of the way by a large young generation.
import { connect, type Socket } from 'node:net';

/** Which proxy, and what stands before and in a request to it. */
interface Target {
  port: number;
  /** Where `port` is; this machine unless set. */
  address?: string;
  host: string;
}

const [kind = '', targetText = '', portText = '', countText = ''] = process.argv.slice(2);
const target = JSON.parse(targetText) as Target;
const destination = `${target.host}:${portText}`;
const count = Number(countText);
const warmMs = 500;
const measureMs = 1_500;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const tunnelRequest = Buffer.from(`CONNECT ${destination} HTTP/1.1\r\nHost: ${destination}\r\n\r\n`);
const webRequest = Buffer.from(
  `GET http://${destination}/some/path HTTP/1.1\r\nHost: ${destination}\r\nAccept: */*\r\nAccept-Encoding: gzip\r\nUser-Agent: bench/1.0\r\n\r\n`,
);
const memory = Buffer.allocUnsafeSlow(1 << 18);

const open = (onBytes: (count: number, socket: Socket) => void, first: Buffer): Socket => {
  const onread = {
    buffer: memory,
    callback: (length: number) => {
      onBytes(length, socket);
      return true;
    },
  };
  const place = { port: target.port, host: target.address ?? '127.0.0.1' };
  const socket: Socket = connect({ ...place, noDelay: true, onread } as unknown as Parameters<typeof connect>[0]);
  socket.on('error', () => undefined);
  socket.write(first);
  return socket;
};

const quantile = (sorted: number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

/** Tunnels through which a server pours: bytes a second, and the slowest tunnel's share of the fastest one's. */
const pour = async (): Promise<object> => {
  const got = Array.from({ length: count }, () => 0);
  for (let index = 0; index < count; index += 1) {
    open((length) => {
      got[index] = (got[index] ?? 0) + length;
    }, tunnelRequest);
  }
  await wait(warmMs);
  const before = [...got];
  const began = performance.now();
  await wait(measureMs);
  const took = performance.now() - began;
  const moved = got.map((bytes, index) => bytes - (before[index] ?? 0));
  return { rate: moved.reduce((sum, bytes) => sum + bytes, 0) / took, fairness: Math.min(...moved) / Math.max(...moved) };
};

const oneConnect = (): Promise<number> =>
  new Promise((resolve) => {
    const began = performance.now();
    let isOpen = false;
    open((_length, socket) => {
      if (isOpen) {
        resolve(performance.now() - began);
        socket.destroy();
      } else socket.write('x');
      isOpen = true;
    }, tunnelRequest);
  });

/** One connection after the other: CONNECT, a byte there and back. Milliseconds. */
const knock = async (): Promise<object> => {
  const times: number[] = [];
  for (let index = 0; index < count + 300; index += 1) {
    const took = await oneConnect();
    if (index >= 300) times.push(took);
  }
  times.sort((a, b) => a - b);
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), p99: quantile(times, 0.99) };
};

/** Requests on kept connections, one at a time on each: requests a second. */
const ask = async (): Promise<object> => {
  let done = 0;
  for (let index = 0; index < count; index += 1) {
    const onBytes = (length: number, socket: Socket) => {
      if (memory.toString('latin1', length - 5, length) !== 'hello') return;
      done += 1;
      socket.write(webRequest);
    };
    open(onBytes, webRequest);
  }
  await wait(warmMs);
  const before = done;
  const began = performance.now();
  await wait(measureMs);
  return { rate: (done - before) / (performance.now() - began) };
};

/** Opens tunnels and keeps them; ends when told to. */
const hold = async (): Promise<object> => {
  let opened = 0;
  await new Promise<void>((resolve) => {
    const next = () => {
      const onBytes = () => {
        opened += 1;
        if (opened === count) resolve();
        else next();
      };
      open(onBytes, tunnelRequest);
    };
    next();
  });
  return { opened };
};

/** Connects so many times a second without end, and has each refused. */
const flood = async (): Promise<object> => {
  const refused = Buffer.from('CONNECT blocked.test:443 HTTP/1.1\r\nHost: blocked.test\r\n\r\n');
  setInterval(() => {
    for (let index = 0; index < count / 1_000; index += 1) open((_length, socket) => socket.destroy(), refused);
  }, 1);
  return { flooding: true };
};

const kinds: Record<string, () => Promise<object>> = { pour, knock, ask, hold, flood };
const told = await kinds[kind]?.();
if (process.send === undefined) console.log(JSON.stringify(told));
else process.send(told);
if (kind === 'pour' || kind === 'knock' || kind === 'ask') process.exit();
