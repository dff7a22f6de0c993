// The network of a session over its life: opened before the container, proven before the start, brought back, mended, closed.
// An unrestricted session has nothing of this and waits for nothing.
import type { NetworkOwner, OpenedNetwork, SandboxNetwork, SandboxNetworks } from '../container/sandbox-network.ts';
import { openNetwork } from '../container/sandbox-network.ts';
import type { Seal, Session } from '../contract/model.ts';
import { beginStop } from './begin-stop.ts';
import type { SessionBook } from './session-book.ts';
import { networkOf } from './session-container.ts';
import type { LaunchPlan, SessionDeps } from './session-parts.ts';

const ownerOf = ({ id, runtime }: Session): NetworkOwner => ({ runtimeId: runtime, sandboxId: id, kind: 'session' });

const isGated = ({ network }: Session): boolean => network === 'gate';

/** Rejects when the signal comes, so that nobody waits for work that cannot be stopped. */
export const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));

export interface SessionWay {
  join: SandboxNetwork;
  /** The container may be made meanwhile, and is started after this. @throws gate_failed */
  proven: Promise<unknown>;
}

const nothing = async (): Promise<void> => undefined;

const unrestricted: SessionWay = { join: openNetwork, proven: Promise.resolve() };

/** Opens the network that the session's policy leads to, as a step of the launch that ends when it has proven itself. */
export const openWay = async (
  { networks }: SessionDeps,
  book: SessionBook,
  { plan, session, imageId, signal }: { plan: LaunchPlan; session: Session; imageId: string; signal: AbortSignal },
): Promise<SessionWay> => {
  if (session.network === 'unrestricted') return unrestricted;
  let say: (line: string) => void = () => undefined;
  const asked = { ...ownerOf(session), environment: plan.environment, imageId, observe: session.observed, signal };
  const request = { ...asked, onLine: (line: string) => say(line) };
  const opening: Promise<OpenedNetwork> = Promise.race([networks.open(request), aborted(signal)]);
  const proven = book.step(session.id, 'gate', async (tell) => {
    say = tell;
    await (await opening).proven;
  });
  // Awaited by whoever starts the container; a launch that fails before does not look at it any more.
  proven.catch(() => undefined);
  const { way, over, join } = await opening;
  book.note(session.id, { network: way, ...(over === undefined ? {} : { gate_over: over }) });
  return { join, proven };
};

export interface TurnedWay extends SessionWay {
  /** What the session is told of its network from now on. */
  session: Pick<Session, 'network' | 'gate_over'>;
  /** Puts things back as they were. */
  undo: () => Promise<void>;
  /** The session has the new sandbox: there is nothing to put back any more. */
  done: () => Promise<void>;
}

/** Opens the way of another configuration beside the one that the session has: a gate that it has stays, under the other policy. */
export const turnWay = async (
  deps: SessionDeps,
  book: SessionBook,
  { plan, session, imageId, signal }: { plan: LaunchPlan; session: Session; imageId: string; signal: AbortSignal },
): Promise<TurnedWay> => {
  if (networkOf(plan.environment.network_policy) === 'unrestricted') {
    return { ...unrestricted, session: { network: 'unrestricted' }, undo: nothing, done: nothing };
  }
  const request = { ...ownerOf(session), environment: plan.environment, imageId, observe: false, signal, onLine: () => undefined };
  const { container_id: containerId } = session;
  if (!isGated(session) || containerId === null) {
    // What a host left that was killed in the middle of this; and a gate whose sandbox was removed outside Sandlot is made anew.
    await deps.networks.close(ownerOf(session));
    // Without a network nobody saw what it tried: whoever replaces it has the time that a first gate takes.
    const opened = await book.step(session.id, 'gate', () => deps.networks.open({ ...request, isSeen: session.network === 'none' }));
    const told = { network: opened.way, ...(opened.over === undefined ? {} : { gate_over: opened.over }) };
    return { ...opened, session: told, undo: () => deps.networks.close(ownerOf(session)), done: nothing };
  }
  const isStopped = session.status === 'stopped';
  if (isStopped) await deps.networks.resume(ownerOf(session), containerId, nothing);
  const { join, done, ...reopened } = await book.step(session.id, 'gate', () => deps.networks.reopen({ ...request, containerId }));
  const undo = async (): Promise<void> => {
    await reopened.undo();
    if (isStopped) await deps.networks.rest(ownerOf(session));
  };
  const told = { network: session.network, ...(session.gate_over === undefined ? {} : { gate_over: session.gate_over }) };
  return { join, proven: Promise.resolve(), session: told, undo, done };
};

/** What stop, resume, remove and recovery do about the network of a session; each does nothing where there is no gate. */
export const createSessionGates = (networks: SandboxNetworks) => ({
  /** Has it started by `start`, behind its gate where it has one. */
  resume: async (session: Session, containerId: string, start: () => Promise<void>): Promise<void> => {
    if (isGated(session)) await networks.resume(ownerOf(session), containerId, start);
    else await start();
  },
  rest: async (session: Session): Promise<void> => {
    if (isGated(session)) await networks.rest(ownerOf(session));
  },
  close: async (session: Session): Promise<void> => {
    if (isGated(session)) await networks.close(ownerOf(session));
  },
  /** From now on the rules decide; what they do not allow is cut. */
  endObservation: async (session: Session): Promise<void> => {
    if (isGated(session)) await networks.endObservation(ownerOf(session));
  },
  /** What is to be said of a running session whose network is cut off; null when nothing passes it by. */
  heal: async (session: Session): Promise<string | null> => {
    if (!isGated(session) || session.status !== 'running' || session.container_id === null) return null;
    const found = await networks.heal(ownerOf(session), session.container_id);
    if (found.state !== 'cut_off') return null;
    return `The network of this session is cut off, and nothing gets out: ${found.reason}. Restart the session to mend it.`;
  },
});

const leaksOf = ({ probes }: Seal): string[] =>
  probes.filter(({ result }) => result === 'open').map(({ name, message }) => `${name}: ${message}`);

const leakWords = ({ passed, total }: Seal, open: string[]): string =>
  `The session was stopped, because its network is not sealed (${passed} of ${total}). ${open.join('; ')}.`;

/** Lets the canary into a session that has just started; a session that leaks is stopped. */
export const sealSession = async (deps: SessionDeps, book: SessionBook, id: string): Promise<void> => {
  const session = await book.get(id);
  if (!isGated(session) || session.container_id === null) return;
  const seal = await deps.networks.probe(ownerOf(session), session.container_id);
  const now = await book.get(id);
  // Stopped or removed meanwhile: what the canary did not find proves nothing.
  if (now.status !== 'running') return;
  book.note(id, { seal });
  const open = leaksOf(seal);
  if (open.length === 0) return;
  const message = leakWords(seal, open);
  await beginStop(book, id, message);
  await deps.runtimeOf(session.runtime).stopContainer(session.container_id, 1);
  await book.change(id, { status: 'stopped', message, stopped_at: deps.clock.iso(), stopping: null });
};

/** How a message begins that `heal` gave, so that it can be taken back. */
export const cutOffWords = 'The network of this session is cut off';
