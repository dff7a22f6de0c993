// Whether a sandbox can get out past its gate, as the canary found it.
import type { Seal } from '../../../sandbox-engine/contract/model.ts';
import { Explained } from './Explained.tsx';
import { Status } from './Status.tsx';

const tried = 'When it started, known ways around the rules were tried from inside the sandbox.';

/** How many ways around the gate were tried from inside when the sandbox started and found closed; the tooltip names those that were not.
 *  `isOpen`: the gate itself lets everything public through, so that nothing about it is well. */
export const SealBadge = ({ seal, isOpen: isGateOpen = false }: { seal: Seal; isOpen?: boolean }) => {
  const others = seal.probes.filter(({ result }) => result !== 'sealed');
  const isOpen = others.some(({ result }) => result === 'open');
  const title =
    others.length === 0
      ? `${tried} All of them are closed.`
      : `${tried}\n${others.map(({ name, message }) => `${name}: ${message}`).join('\n')}`;
  const well = isGateOpen ? 'plain' : 'ok';
  return (
    <Explained meaning={title}>
      <Status
        tone={isOpen ? 'bad' : others.length > 0 ? 'warn' : well}
        label={isOpen ? 'One way out is open' : `${seal.passed} of ${seal.total} closed`}
      />
    </Explained>
  );
};
