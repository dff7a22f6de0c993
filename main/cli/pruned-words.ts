// What is said below the table of what was, or can be, removed. Pure.
import type { CallOutput } from '../../sandbox-engine/contract/calls.ts';
import { toSize } from './print.ts';

type Pruned = CallOutput<'app.prune'>;

const cacheWords = 'What a build made of it stays in the build cache of Docker: docker builder prune frees it.';

/** Containers are not measured. */
const amountOf = (items: Pruned['items']): string => {
  const bytes = items.reduce((sum, { size }) => sum + (size ?? 0), 0);
  return `${items.every(({ kind, size }) => kind === 'container' || size !== null) ? '' : 'at least '}${toSize(bytes)}`;
};

/** `isDone`: it was removed. How much that was is only known where all of it went. */
export const prunedWords = ({ items, removed }: Pruned, isDone: boolean): string => {
  if (isDone && removed < items.length) return `${removed} of ${items.length} removed: something outside Sandlot still uses the rest.`;
  const amount = amountOf(items);
  const words = isDone ? `${removed} removed: ${amount}.` : `Nothing was removed yet: run \`sandlot prune --yes\`. It is ${amount}.`;
  return items.some(({ kind }) => kind === 'image') ? `${words}\n${cacheWords}` : words;
};
