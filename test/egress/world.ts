// A small public network for the policy proxy: names with public addresses, a sink behind each, canaries on the addresses of this computer
// that nothing may ever reach, and a proxy between them and a sandbox. Only the resolver and the way to the sinks are not the real ones.
// Source: NETWORK.md 2.1.
import { mkdtemp, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attempt, NetworkPolicy } from '../../sandbox-engine/contract/model/network.ts';
import type { EgressLimits } from '../../sandbox-engine/egress/limits.ts';
import type { SandboxPolicy } from '../../sandbox-engine/egress/loaded-policy.ts';
import { createPolicyProxy, type PolicyProxy } from '../../sandbox-engine/egress/policy-proxy.ts';
import type { Answer } from '../../sandbox-engine/egress/resolve.ts';
import type { OpenSandbox, RouteEntry } from '../../sandbox-engine/egress/worker-messages.ts';
import { scripted } from './scripted-server.ts';
import { type Sink, type SinkAnswer, sayName, startSink } from './sinks.ts';
import { policyP1 } from './world-policy.ts';

/** The names of the world; each has one public address and one sink. */
const worldNames = [
  'allowed.test',
  'a.b.allowed.test',
  'a_b.allowed.test',
  'secret.allowed.test',
  'rebind.allowed.test',
  'xn--mnchen-3ya.allowed.test',
  'xn--a.allowed.test',
  'plain.test',
  'ssh.test',
  'corp.test',
  'big.test',
  'blocked.test',
  'evil.test',
  'evil-allowed.test',
] as const;

/** What a sandbox is opened with besides its policy. */
export type OpenMore = Partial<SandboxPolicy> & Pick<OpenSandbox, 'carried'>;

export interface World {
  proxy: PolicyProxy;
  sinks: Map<string, Sink>;
  /** By the address on which each listens. */
  canaries: Sink[];
  canaryPort: number;
  lanAddress: string;
  /** Every question that reached the resolver. */
  questions: string[];
  attempts: Attempt[];
  /** Attempts of one sandbox, each id once, as it was told of last. */
  attemptsOf: (sandboxId: string) => Attempt[];
  /** Resolves when `isThere` holds for the attempts of a sandbox. */
  attempted: (sandboxId: string, isThere: (attempts: Attempt[]) => boolean) => Promise<Attempt[]>;
  crashes: Error[];
  /** Answers a name otherwise than by its address; a list is used up in order, its last one stays. */
  answers: Map<string, (Answer | 'silent')[]>;
  addressOf: (name: string) => string;
  route: (entries: RouteEntry[]) => void;
  /** In a folder of its own unless one is given; answers it. */
  openSandbox: (sandboxId: string, policy?: NetworkPolicy, more?: OpenMore, folder?: string) => Promise<string>;
  setPolicy: (sandboxId: string, policy: NetworkPolicy, more?: Partial<SandboxPolicy>) => Promise<{ closed: number }>;
  close: () => Promise<void>;
}

export interface WorldOptions {
  limits?: Partial<EgressLimits>;
  answers?: Record<string, SinkAnswer>;
}

/** The world of the corpus: limits that a test can wait for. */
export const corpusWorld: WorldOptions = {
  limits: { tellMs: 10, resolveMs: 1_000, refusedHelloMs: 300, lingerMs: 500 },
  answers: { 'big.test': scripted },
};

/** Sinks at addresses that no name of the world leads to by itself; the private one belongs to corp.test. */
const placesBeside: Record<string, string> = { foreign: '6.6.6.6', literal: '20.0.0.9', 'corp.test': '10.1.2.3' };

// Ordinary public addresses: the floor refuses those that are kept for tests.
const addressAt = (index: number): string => `20.0.0.${index + 10}`;

const canaryAddresses = (): string[] => {
  const lan = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).filter(({ family, internal }) => family === 'IPv4' && !internal),
  );
  return ['127.0.0.1', ...new Set(lan.map(({ address }) => address))];
};

// All on one port, so that a case may name it before it knows the address.
const startCanaries = async (): Promise<Sink[]> => {
  const [first = '127.0.0.1', ...others] = canaryAddresses();
  const loopback = await startSink('canary', sayName('canary'), first);
  const rest = await Promise.all(others.map((address) => startSink('canary', sayName('canary'), address, loopback.port)));
  return [loopback, ...rest];
};

const latest = (attempts: Attempt[], sandboxId: string): Attempt[] => [
  ...new Map(attempts.filter(({ sandbox_id }) => sandbox_id === sandboxId).map((attempt) => [attempt.id, attempt])).values(),
];

/** Builds the world. Who builds it closes it. */
export const buildWorld = async ({ limits, answers: given = {} }: WorldOptions = {}): Promise<World> => {
  const root = await mkdtemp(join(tmpdir(), 'sandlot-egress-'));
  const sinks = new Map<string, Sink>();
  for (const name of worldNames) sinks.set(name, await startSink(name, given[name] ?? sayName(name)));
  const canaries = await startCanaries();
  const addressOf = (name: string): string => addressAt(worldNames.indexOf(name as (typeof worldNames)[number]));
  for (const name of Object.keys(placesBeside)) if (!sinks.has(name)) sinks.set(name, await startSink(name));
  const routes: RouteEntry[] = [...worldNames.map((name) => [name, addressOf(name)] as const), ...Object.entries(placesBeside)].map(
    ([name, address]) => ({ address, to: { address: '127.0.0.1', port: sinks.get(name)?.port ?? 0 } }),
  );
  const questions: string[] = [];
  const attempts: Attempt[] = [];
  const crashes: Error[] = [];
  const answers: World['answers'] = new Map();
  const waiting = new Set<() => void>();

  const resolve = async (name: string): Promise<Answer> => {
    questions.push(name);
    const list = answers.get(name);
    const [answer] = list ?? [];
    if (list !== undefined && list.length > 1) list.shift();
    if (answer === 'silent') return await new Promise<Answer>(() => undefined);
    if (answer !== undefined) return answer;
    if (sinks.has(name)) return { ok: true, addresses: [addressOf(name)], ttlSeconds: 0 };
    return { ok: false, detail: `There is no ${name} in this world.` };
  };

  const proxy = createPolicyProxy({
    ...{
      own: { interfaces: [], gateways: [], ownPorts: [canaries[0]?.port ?? 0] },
      upstream: { resolve, routes },
      onCrash: (cause) => void crashes.push(cause),
    },
    ...(limits === undefined ? {} : { limits }),
    onAttempts: (batch) => {
      attempts.push(...batch);
      for (const look of [...waiting]) look();
    },
  });

  const attemptsOf = (sandboxId: string) => latest(attempts, sandboxId);
  return {
    ...{
      proxy,
      sinks,
      canaries,
      canaryPort: canaries[0]?.port ?? 0,
      lanAddress: canaryAddresses().at(-1) ?? '127.0.0.1',
      questions,
      attempts,
      attemptsOf,
      crashes,
      answers,
      addressOf,
    },
    attempted: (sandboxId, isThere) =>
      new Promise((settle) => {
        const look = () => {
          if (!isThere(attemptsOf(sandboxId))) return;
          waiting.delete(look);
          settle(attemptsOf(sandboxId));
        };
        waiting.add(look);
        look();
      }),
    route: (entries) => proxy.setRoutes([...entries, ...routes]),
    openSandbox: async (sandboxId, policy = policyP1, more = {}, folder = undefined) => {
      const socketFolder = folder ?? (await mkdtemp(join(root, 's-')));
      await proxy.open({ sandboxId, socketFolder, policy, presets: {}, revision: 1, ...more });
      return socketFolder;
    },
    setPolicy: (sandboxId, policy, more = {}) => proxy.setPolicy(sandboxId, { policy, presets: {}, revision: 2, ...more }),
    close: async () => {
      await proxy.stop();
      await Promise.all([...sinks.values(), ...canaries].map((sink) => sink.close()));
      await rm(root, { recursive: true, force: true });
    },
  };
};
