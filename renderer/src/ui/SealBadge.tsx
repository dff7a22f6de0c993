// Whether a sandbox can get out past its gate, as the canary found it.
import type { Seal } from '../../../sandbox-engine/contract/model.ts';
import { Explained } from './Explained.tsx';
import { Status } from './Status.tsx';

const tried =
  'When it started, Sandlot tried from inside the sandbox to get out past the network rules: with an address in the place of a name, another name server, without the proxy and the like.';

const labelOf = ({ passed, total }: Seal, isOpen: boolean): string => {
  if (isOpen) return 'One way out is open';
  return passed === total ? `${total} tried, all closed` : `${total} tried, ${passed} closed`;
};

/** How many ways around the gate were tried from inside when the sandbox started and found closed; the tooltip names those that were not.
 *  `isOpen`: the gate itself lets everything public through, so that nothing about it is well. */
export const SealBadge = ({ seal, isOpen: isGateOpen = false }: { seal: Seal; isOpen?: boolean }) => {
  const others = seal.probes.filter(({ result }) => result !== 'sealed');
  const isOpen = others.some(({ result }) => result === 'open');
  const title =
    others.length === 0
      ? `${tried} None of them led out.`
      : `${tried}\n${others.map(({ name, message }) => `${name}: ${message}`).join('\n')}`;
  const well = isGateOpen ? 'plain' : 'ok';
  return (
    <Explained meaning={title}>
      <Status tone={isOpen ? 'bad' : others.length > 0 ? 'warn' : well} label={labelOf(seal, isOpen)} />
    </Explained>
  );
};
