// How long and how much a sandbox may use of the proxy. What passes a limit is closed; nothing waits for ever.

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
  /** Open connections of one sandbox, and of all. */
  connectionsOfSandbox: number;
  connections: number;
  /** New connections of one sandbox that are begun in one turn of the event loop; the others wait for the next. */
  beginsInTurn: number;
  /** The same for a second, once it has begun so many as a burst; what comes faster waits. */
  beginsInSecond: number;
  beginsAtOnce: number;
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
  beginsInTurn: 4,
  beginsInSecond: 1_000,
  beginsAtOnce: 3_000,
};
