// The carriers of one host: one for each gate whose runtime cannot see the host's sockets. A carrier holds nothing, so one that died, or whose
// host was another process, is simply made anew, with another port and another token.
import { randomBytes, randomInt } from 'node:crypto';
import { SandlotError } from '../base/errors.ts';
import type { ContainerDetails, ContainerRuntime } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import { readExec } from '../container/read-exec.ts';
import type { NetworkOwner } from '../container/sandbox-network.ts';
import type { CarriedPlace } from '../egress/carried-door.ts';
import { type CarrierOrder, carrierName, carrierNetwork, carrierSpec, socketVolumeName } from './carrier-container.ts';
import { carrierFailures } from './carrier-files.ts';
import { carrierChecks, carrierTestExec } from './carrier-test.ts';
import type { GatePlaces } from './gate-place.ts';
import { refused } from './prove-gate.ts';
import { readChecks } from './self-test.ts';
import { removeByName } from './start-gate.ts';

export interface CarrierDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  makeLabels: MakeLabels;
  places: GatePlaces;
}

export interface Carriers {
  /**
   * Has a proven carrier stand beside the gate, and the host listen where it connects to; safe to repeat.
   * @throws gate_failed, and no carrier is left
   */
  raise: (owner: NetworkOwner, imageId: string, listen: (place: CarriedPlace) => Promise<void>) => Promise<void>;
  /** Takes it away; the gate's volume stays. */
  remove: (owner: NetworkOwner) => Promise<void>;
  /** After its gate is gone: with the volume. */
  close: (owner: NetworkOwner) => Promise<void>;
}

interface Standing {
  containerId: string;
  place: CarriedPlace;
}

/** One that was started again outside may have got another address, from which nobody would be let in. */
const isWhereItWas = ({ address }: ContainerDetails, { place }: Standing): boolean => place.peer === loopback || place.peer === address;

/** Below what systems give out by themselves. Source: RFC 6056, Linux' ip_local_port_range. */
const ports = { first: 20_000, last: 32_000 };
/** A port may be another program's. */
const mostTries = 5;

const loopback = '127.0.0.1';

/** Where the host is to listen: under one kernel at the address where the runtime's network ends, else where its forwarder comes out. */
const placeFor = ({ port, token, isElsewhere }: CarrierOrder, { address, gateway }: ContainerDetails): CarriedPlace => {
  if (isElsewhere) return { address: loopback, port, token, peer: loopback };
  if (address === null || gateway === null) throw refused('The carrier got no address on the network of the runtime', {}, 'sandlot doctor');
  return { address: gateway, port, token, peer: address };
};

const whyEnded = (found: ContainerDetails | null): SandlotError => {
  const said = carrierFailures[found?.exitCode ?? -1] ?? `it ended with exit code ${found?.exitCode ?? 'unknown'}`;
  return refused(`The carrier of its gate did not start: ${said}`, { exit_code: found?.exitCode ?? null }, 'Try again, or: sandlot doctor');
};

/** @throws gate_failed naming each check that did not pass */
const prove = async (runtime: ContainerRuntime, containerId: string): Promise<void> => {
  const said = await readExec(runtime, containerId, carrierTestExec).catch(async (thrown: unknown) => {
    const found = await runtime.inspectContainer(containerId);
    throw found?.status === 'running' ? thrown : whyEnded(found);
  });
  const failed = readChecks(said, carrierChecks).filter(({ passed }) => !passed);
  if (failed.length === 0) return;
  const reasons = failed.map(({ name, message }) => `${name}: ${message}`).join('; ');
  throw refused(
    `Its carrier: ${reasons}`,
    { checks: failed },
    'Try again; if it stays so, look whether this machine lets the runtime reach it.',
  );
};

const isTaken = (thrown: unknown): boolean => thrown instanceof SandlotError && /EADDRINUSE/.test(thrown.message);

type Listen = (place: CarriedPlace) => Promise<void>;

/** Makes and starts one, and has the host listen for it. */
const begin = async (deps: CarrierDeps, owner: NetworkOwner, imageId: string, listen: Listen): Promise<Standing> => {
  const runtime = deps.runtimeOf(owner.runtimeId);
  const { isElsewhere } = await runtime.info();
  const order = { port: randomInt(ports.first, ports.last), token: randomBytes(32).toString('hex'), isElsewhere };
  const gate = { owner, imageId, runtimeKind: runtime.kind, place: deps.places.of(owner.sandboxId), makeLabels: deps.makeLabels };
  await runtime.createNetwork(carrierNetwork(deps.makeLabels), deps.makeLabels('gate'));
  const containerId = await runtime.createContainer(carrierSpec(gate, order));
  await runtime.startContainer(containerId);
  const found = await runtime.inspectContainer(containerId);
  if (found?.status !== 'running') throw whyEnded(found);
  const place = placeFor(order, found);
  await listen(place);
  await prove(runtime, containerId);
  return { containerId, place };
};

/** Makes the carriers of one host. The caller sees to it that one thing at a time happens to one gate. */
export const createCarriers = (deps: CarrierDeps): Carriers => {
  const standing = new Map<string, Standing>();

  const remove = async ({ runtimeId, sandboxId }: NetworkOwner): Promise<void> => {
    standing.delete(sandboxId);
    await removeByName(deps.runtimeOf(runtimeId), carrierName(sandboxId));
  };

  const beginAnew = async (owner: NetworkOwner, imageId: string, listen: Listen, tries = 1): Promise<Standing> => {
    await remove(owner);
    try {
      return await begin(deps, owner, imageId, listen);
    } catch (thrown) {
      await remove(owner).catch(() => undefined);
      if (!isTaken(thrown) || tries >= mostTries) throw thrown;
      return await beginAnew(owner, imageId, listen, tries + 1);
    }
  };

  return {
    remove,
    raise: async (owner, imageId, listen) => {
      const { runtimeId, sandboxId } = owner;
      const known = standing.get(sandboxId);
      const found = known === undefined ? null : await deps.runtimeOf(runtimeId).inspectContainer(known.containerId);
      if (known !== undefined && found?.status === 'running' && isWhereItWas(found, known)) return await listen(known.place);
      standing.set(sandboxId, await beginAnew(owner, imageId, listen));
    },
    close: async (owner) => {
      await remove(owner);
      await deps.runtimeOf(owner.runtimeId).removeVolume(socketVolumeName(owner.sandboxId));
    },
  };
};
