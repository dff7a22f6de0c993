import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { Explained } from './Explained.tsx';
import { Status } from './Status.tsx';

const gate =
  'The gate is a small container of its own that holds the network of the sandbox, which has none: all that it tries arrives there and is judged by the rules.';

const ways = {
  socket: {
    label: 'Gate, local socket',
    title: `${gate} It reaches Sandlot at a socket of this computer that is mounted into the gate alone.`,
  },
  tcp: {
    label: 'Gate, TCP',
    title:
      `${gate} The runtime is in a virtual machine and cannot see the sockets of this computer, so a carrier beside the gate reaches Sandlot at a port ` +
      'that answers to its token alone. The sandbox itself has no network interface either way.',
  },
} as const;

/** Over which way the gate of a session reaches Sandlot. */
export const GateBadge = ({ over }: { over: NonNullable<Session['gate_over']> }) => (
  <Explained meaning={ways[over].title}>
    <Status tone="plain" label={ways[over].label} />
  </Explained>
);
