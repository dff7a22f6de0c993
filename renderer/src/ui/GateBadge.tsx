import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { Explained } from './Explained.tsx';
import { Status } from './Status.tsx';

const gate =
  'A small container beside the sandbox holds its network. All that the sandbox tries arrives there and is judged by the rules; nothing in the sandbox, not even root, can turn that off.';
const more = 'More in docs/network.md, “How it is held”.';

const ways = {
  socket: { label: 'Outside the sandbox', title: `${gate}\n${more}` },
  tcp: {
    label: 'Outside, over TCP',
    title: `${gate}\nThe runtime is in a virtual machine, so the gate reaches Sandlot at a port of this machine that answers to its token alone.\n${more}`,
  },
} as const;

/** What keeps the rules of a session; the way over which its gate reaches Sandlot is told where it is not the usual one. */
export const GateBadge = ({ over }: { over: NonNullable<Session['gate_over']> }) => (
  <Explained meaning={ways[over].title}>
    <Status tone="plain" label={ways[over].label} />
  </Explained>
);
