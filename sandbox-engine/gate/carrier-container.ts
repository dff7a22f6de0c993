// Describes the carrier of a gate: a small container beside it, in no sandbox's network namespace, that brings the gate's two sockets to the
// host over TCP, where the runtime is in a virtual machine and cannot see the host's sockets. Pure.
// Source: NETWORK.md 3.3. The gate itself stays as it is everywhere: without any interface.
import type { ContainerSpec, OwnNetwork } from '../container/container-runtime.ts';
import { labelKeys, type MakeLabels } from '../container/labels.ts';
import { socketTarget } from './addresses.ts';
import { gateFolder } from './capture-files.ts';
import { viaGateway } from './carrier-files.ts';
import { type GateSpec, gateLabels, hardened, toBecomeNobody } from './gate-container.ts';

/** Where it is to connect to, and how it is known there. */
export interface CarrierOrder {
  port: number;
  token: string;
  /** The runtime is under another kernel: its own name for this machine is asked for. Else its network ends at this machine. */
  isElsewhere: boolean;
}

/** Names a gate's carrier, and the volume with the sockets that both see. */
export const carrierName = (sandboxId: string): string => `sandlot-carrier-${sandboxId}`;
export const socketVolumeName = (sandboxId: string): string => `sandlot-sockets-${sandboxId}`;

/** What Podman calls this machine by itself, and what Docker is told to call it. */
const podmanName = 'host.containers.internal';
const dockerName = 'host.sandlot.internal';

type CarrierGate = Pick<GateSpec, 'owner' | 'imageId' | 'runtimeKind' | 'place' | 'makeLabels'>;

/**
 * The network that the carriers of one data folder have for themselves, apart from the runtime's ordinary one: there an unrestricted sandbox may
 * have the right to pretend to be its neighbour, and would hear the token.
 */
export const carrierNetwork = (makeLabels: MakeLabels): OwnNetwork =>
  `sandlot-carriers-${(makeLabels('gate')[labelKeys.home] ?? '').slice(-12)}`;

/** Only carriers are on their network, and they listen at no port there. */
export const carrierSpec = ({ owner, imageId, runtimeKind, place, makeLabels }: CarrierGate, order: CarrierOrder): ContainerSpec => {
  const name = runtimeKind === 'podman' ? podmanName : dockerName;
  const labels = gateLabels(makeLabels, owner);
  return {
    ...hardened(runtimeKind, place.seccompFile),
    ...{
      name: carrierName(owner.sandboxId),
      image: imageId,
      command: [`${gateFolder}/carrier`],
      labels,
      network: carrierNetwork(makeLabels),
    },
    env: [`CARRIER_TOKEN=${order.token}`, `CARRIER_PORT=${order.port}`, `CARRIER_VIA=${order.isElsewhere ? name : viaGateway}`],
    mounts: [{ kind: 'volume', source: socketVolumeName(owner.sandboxId), target: socketTarget, labels }],
    ...(order.isElsewhere && runtimeKind === 'docker' ? { extraHosts: [`${dockerName}:host-gateway`] } : {}),
    capAdd: ['NET_ADMIN', ...toBecomeNobody],
    sysctls: { 'net.ipv6.conf.all.disable_ipv6': '1', 'net.ipv6.conf.default.disable_ipv6': '1' },
  };
};
