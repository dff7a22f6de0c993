// How much goes, or went, with left-overs. Pure.
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import { formatBytes } from '../ui/format.ts';

type Pruned = CallOutput<'app.prune'>;

/** What is known of it. */
export const freedText = (items: Pruned['items']): string => formatBytes(items.reduce((sum, { size }) => sum + (size ?? 0), 0));

/** Whether that is all. */
export const amountText = (items: Pruned['items']): string => {
  const isSure = items.every(({ kind, size }) => kind === 'container' || size !== null);
  return `${isSure ? '' : 'at least '}${freedText(items)}`;
};

/** How much went is only known where all of it did. */
export const removedText = ({ items, removed }: Pick<Pruned, 'items' | 'removed'>): string =>
  removed < items.length
    ? `${removed} of ${items.length} removed: something outside Sandlot still uses the rest.`
    : `${removed} removed: ${amountText(items)}.`;
