// How long and how much a sandbox may use of the proxy. What passes a limit is closed; nothing waits for ever.
import { readFileSync } from 'node:fs';

export interface EgressLimits {
  /** For the relay's header and a request's head. */
  headMs: number;
  /** For the first bytes of a connection, and for those of one that is to be refused anyway. */
  helloMs: number;
  refusedHelloMs: number;
  resolveMs: number;
  connectMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  /** The same after one end has said that it sends no more. */
  halfOpenMs: number;
  /** How long what was refused may go on sending before it is cut off. */
  lingerMs: number;
  /** How often attempts are handed on. */
  tellMs: number;
  /** Open connections of one sandbox, and of all; and those that each may have, however many the others have. */
  connectionsOfSandbox: number;
  connections: number;
  connectionsKept: number;
  /** New connections of one sandbox that are begun in one turn of the event loop, and requests on open ones; the others wait for the next. */
  beginsInTurn: number;
  /** The same for a second, once it has begun so many as a burst; what comes faster waits. */
  beginsInSecond: number;
  beginsAtOnce: number;
  /** What may wait in the kernel for one sandbox and for the servers that it talks to, and for all sandboxes. */
  waitingOfSandbox: number;
  waiting: number;
  /** Beyond that a connection is ended on which less has moved for so long than waits; the same at twice as much. */
  stalledMs: number;
  stalledAtTwiceMs: number;
}

export const egressLimits: EgressLimits = {
  headMs: 10_000,
  helloMs: 5_000,
  refusedHelloMs: 1_000,
  resolveMs: 5_000,
  connectMs: 10_000,
  idleMs: 600_000,
  halfOpenMs: 60_000,
  lingerMs: 2_000,
  tellMs: 250,
  connectionsOfSandbox: 2_048,
  connections: 8_192,
  connectionsKept: 64,
  beginsInTurn: 4,
  beginsInSecond: 1_000,
  beginsAtOnce: 3_000,
  waitingOfSandbox: 256 * 1024 * 1024,
  waiting: 512 * 1024 * 1024,
  stalledMs: 5_000,
  stalledAtTwiceMs: 1_000,
};

/** Descriptors that are left to the rest of the host, and to what each sandbox may have in any case. */
const keptFiles = 1_024;

/** Pages are larger on some machines: then less may wait than could. */
const leastPage = 4_096;

/** How many files a process may have open, by its `/proc/self/limits`; null where that does not say. */
export const readMostFiles = (text: string): number | null => {
  const most = /^Max open files\s+(\d+)/m.exec(text)?.[1];
  return most === undefined ? null : Number(most);
};

/** As many connections as there are descriptors for, two each: a sandbox that takes all of them would leave the host none to work with. */
export const fitToFiles = (limits: EgressLimits, mostFiles: number | null): EgressLimits => {
  if (mostFiles === null) return limits;
  const most = Math.floor((mostFiles - Math.min(keptFiles, mostFiles / 2)) / 2);
  return {
    ...limits,
    connections: Math.min(limits.connections, most),
    connectionsOfSandbox: Math.min(limits.connectionsOfSandbox, most),
  };
};

/** What this process may have open; null on another system than Linux. */
export const mostFilesHere = (): number | null => {
  try {
    return readMostFiles(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return null;
  }
};

/** The memory for TCP that the kernel gives away without a thought, by its `tcp_mem`; null where that does not say. */
export const readKernelMemory = (text: string): number | null => {
  const pages = /^(\d+)\s+\d+\s+\d+\s*$/.exec(text)?.[1];
  return pages === undefined ? null : Number(pages) * leastPage;
};

/** Half of the kernel's memory for all sandboxes together, and half of that for each: on a small machine less may wait. */
export const fitToMemory = (limits: EgressLimits, memory: number | null): EgressLimits => {
  if (memory === null) return limits;
  return {
    ...limits,
    waiting: Math.min(limits.waiting, memory / 2),
    waitingOfSandbox: Math.min(limits.waitingOfSandbox, memory / 4),
  };
};

/** What the kernel of this machine has for TCP; null on another system than Linux. */
export const kernelMemoryHere = (): number | null => {
  try {
    return readKernelMemory(readFileSync('/proc/sys/net/ipv4/tcp_mem', 'utf8'));
  } catch {
    return null;
  }
};
