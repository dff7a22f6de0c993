// What runs in the worker: the doors of all sandboxes, and what they share. One thing after the other for each sandbox.
import { createIds } from '../base/ids.ts';
import { classifyAddress } from './address.ts';
import { startAttemptLog } from './attempt-log.ts';
import { createBacklog } from './backlog.ts';
import { createDial, type Route } from './dial.ts';
import type { EgressLimits } from './limits.ts';
import { watchOwnAddresses } from './own-addresses.ts';
import { createResolve, type Resolve, rememberAnswers } from './resolve.ts';
import { createSandboxDoors, type SandboxDoors } from './sandbox-doors.ts';
import { createTurns } from './turns.ts';
import { startWatch } from './watch.ts';
import type { Call, NumberedCall, RouteEntry, ToHost, ToWorker, WorkerSettings } from './worker-messages.ts';

const watchEveryMs = ({ headMs, helloMs, lingerMs, idleMs, connectMs }: EgressLimits): number =>
  Math.min(500, Math.ceil(Math.min(headMs, helloMs, lingerMs, idleMs, connectMs) / 4));

// Names are looked up by the host's thread, which a test has in its hands.
const askHost = (
  post: (message: ToHost) => void,
): { resolve: Resolve; settle: (ask: number, answer: Awaited<ReturnType<Resolve>>) => void } => {
  const waiting = new Map<number, (answer: Awaited<ReturnType<Resolve>>) => void>();
  let asked = 0;
  return {
    resolve: (name) =>
      new Promise((settle) => {
        asked += 1;
        waiting.set(asked, settle);
        post({ kind: 'resolve', ask: asked, name });
      }),
    settle: (ask, answer) => {
      waiting.get(ask)?.(answer);
      waiting.delete(ask);
    },
  };
};

// What is not part of the given network is nowhere; addresses of this computer and around it stay what they are, so that a test would see
// them being reached.
const routeBy =
  (routes: () => RouteEntry[]): Route =>
  (address, port) =>
    routes().find((route) => route.address === address && (route.port ?? port) === port)?.to ??
    (classifyAddress(address) === 'public' ? null : { address, port });

const runCall = (doors: SandboxDoors, post: (message: ToHost) => void, { call, ...asked }: NumberedCall): void => {
  doors.run(asked as Call).then(
    (closed) => post({ kind: 'done', call, closed }),
    (thrown: unknown) => post({ kind: 'failed', call, message: thrown instanceof Error ? thrown.message : String(thrown) }),
  );
};

/** Makes the server; answers what handles each message of the host. */
export const createPolicyServer = (settings: WorkerSettings, post: (message: ToHost) => void): ((message: ToWorker) => void) => {
  const { limits, isUpstreamGiven } = settings;
  let { own } = settings;
  let routes: RouteEntry[] = [];
  const newId = createIds(Date.now);
  const log = startAttemptLog({
    emit: (attempts) => post({ kind: 'attempts', attempts }),
    newId: () => newId('att'),
    flushMs: limits.tellMs,
  });
  const watch = startWatch(watchEveryMs(limits));
  const backlog = createBacklog(limits);
  watch.add(backlog);
  const turnsOf = createTurns();
  const asks = askHost(post);
  const resolve = rememberAnswers(isUpstreamGiven ? asks.resolve : createResolve(limits.resolveMs), limits.resolveMs);
  const ownNow = watchOwnAddresses(() => own);
  const dial = createDial({
    ...{ watch, resolve, own: ownNow, connectMs: limits.connectMs },
    ...(isUpstreamGiven ? { route: routeBy(() => routes) } : {}),
  });
  const doors = createSandboxDoors({
    ...{ sandbox: { limits, dial, log, watch }, turnsOf, backlog, crowd: { open: 0 }, own: ownNow },
    onName: (sandboxId, name, address) => post({ kind: 'named', sandboxId, name, address }),
  });

  const stop = async (): Promise<void> => {
    await doors.closeAll();
    watch.stop();
    // What is cut writes itself down when its ends have closed.
    setImmediate(() => {
      log.stop();
      post({ kind: 'stopped' });
    });
  };

  // What was tried until now is told before the answer is.
  const look = (message: Extract<ToWorker, { kind: 'flush' | 'traffic' }>): void => {
    if (message.kind === 'flush') log.flush();
    const { call } = message;
    post(
      message.kind === 'flush' ? { kind: 'done', call, closed: 0 } : { kind: 'traffic', call, traffic: doors.traffic(message.sandboxId) },
    );
  };

  return (message) => {
    if (message.kind === 'own') own = message.own;
    else if (message.kind === 'routes') routes = message.routes;
    else if (message.kind === 'stop') void stop();
    else if (message.kind === 'flush' || message.kind === 'traffic') look(message);
    else if (message.kind === 'resolved') asks.settle(message.ask, message.answer);
    else runCall(doors, post, message);
  };
};
