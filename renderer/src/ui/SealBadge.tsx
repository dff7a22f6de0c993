import type { Seal } from '../../../sandbox-engine/contract/model.ts';
import { Status } from './Status.tsx';

/** How many ways out a canary found sealed when the sandbox started; the tooltip names those that are not. */
export const SealBadge = ({ seal }: { seal: Seal }) => {
  const others = seal.probes.filter(({ result }) => result !== 'sealed');
  const isOpen = others.some(({ result }) => result === 'open');
  const title =
    others.length === 0 ? 'Every way out that was tried is closed' : others.map(({ name, message }) => `${name}: ${message}`).join('\n');
  return (
    <span title={title}>
      <Status tone={isOpen ? 'bad' : others.length > 0 ? 'warn' : 'ok'} label={`${seal.passed}/${seal.total} sealed`} />
    </span>
  );
};
