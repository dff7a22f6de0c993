// What the host's thread and the proxy's worker say to each other. Data only.
import type { Attempt } from '../contract/model/network.ts';
import type { OwnAddresses } from './address.ts';
import type { CarriedPlace } from './carried-door.ts';
import type { Traffic } from './connection.ts';
import type { EgressLimits } from './limits.ts';
import type { SandboxPolicy } from './loaded-policy.ts';
import type { Answer } from './resolve.ts';

/** One sandbox: where its sockets are and what it may reach. */
export interface OpenSandbox extends SandboxPolicy {
  sandboxId: string;
  socketFolder: string;
  /** Where its carrier finds the proxy, in the place of sockets in the folder. */
  carried?: CarriedPlace;
  /** Synthetic addresses that were given to names before, and stay theirs. */
  names?: [name: string, address: string][];
}

/** With what the worker starts. `isUpstreamGiven`: names are looked up by the host's thread, and addresses lead to local ports (tests). */
export interface WorkerSettings {
  own: OwnAddresses;
  limits: EgressLimits;
  isUpstreamGiven: boolean;
}

/** Where an address of the public network really is. */
export interface RouteEntry {
  address: string;
  /** Without one, every port of the address. */
  port?: number;
  to: { address: string; port: number };
}

/** What is asked of the worker about one sandbox. */
export type Call =
  | { kind: 'open'; sandbox: OpenSandbox }
  | { kind: 'set_policy'; sandboxId: string; policy: SandboxPolicy }
  | { kind: 'close'; sandboxId: string };

/** A call with the number under which it is answered. */
export type NumberedCall = Call & { call: number };

export type ToWorker =
  | NumberedCall
  | { kind: 'flush'; call: number }
  | { kind: 'traffic'; call: number; sandboxId: string }
  | { kind: 'own'; own: OwnAddresses }
  | { kind: 'routes'; routes: RouteEntry[] }
  | { kind: 'resolved'; ask: number; answer: Answer }
  | { kind: 'stop' };

export type ToHost =
  | { kind: 'done'; call: number; closed: number }
  | { kind: 'failed'; call: number; message: string }
  | { kind: 'stopped' }
  | { kind: 'traffic'; call: number; traffic: Traffic | null }
  | { kind: 'attempts'; attempts: Attempt[] }
  | { kind: 'named'; sandboxId: string; name: string; address: string }
  | { kind: 'resolve'; ask: number; name: string };
