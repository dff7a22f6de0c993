import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { Status } from './Status.tsx';

const ways = {
  socket: {
    label: 'unix socket',
    title: 'The gate reaches Sandlot at a socket of this computer that is mounted into the gate alone.',
  },
  tcp: {
    label: 'TCP',
    title:
      'The runtime is in a virtual machine and cannot see the sockets of this computer, so a carrier beside the gate reaches Sandlot at a port ' +
      'that answers to its token alone. The sandbox itself has no network interface either way.',
  },
} as const;

/** Over which way the gate of a session reaches Sandlot. */
export const GateBadge = ({ over }: { over: NonNullable<Session['gate_over']> }) => (
  <span title={ways[over].title}>
    <Status tone="plain" label={ways[over].label} />
  </span>
);
