// How transfers ended that are over: who moves the bytes and who tells of it need not be the same.
import { SandlotError } from '../base/errors.ts';
import type { CallOutput } from '../contract/calls.ts';
import type { OpenTransfer } from './open-transfer.ts';

/** How long a transfer waits for somebody, and its end for whoever asks. */
export const idleMs = 60_000;

/** The refusal of one that is not there. */
export const over = (): SandlotError =>
  new SandlotError('not_found', 'This transfer is over, or nobody cared for it for a minute.', { nextAction: 'Begin it again.' });

type Outcome = { note: string | null } | { failure: unknown };

/** The ends of the last minute. */
export const createOutcomes = () => {
  const all = new Map<string, { transfer: OpenTransfer['transfer']; moved: number; outcome: Outcome }>();
  return {
    keep: ({ transfer, moved }: OpenTransfer, outcome: Outcome): void => {
      all.set(transfer.id, { transfer, moved, outcome });
      setTimeout(() => all.delete(transfer.id), idleMs).unref();
    },
    get: (id: string): CallOutput<'transfers.get'> => {
      const ended = all.get(id);
      if (ended === undefined) throw over();
      if ('failure' in ended.outcome) throw ended.outcome.failure;
      return { ...ended.transfer, moved: ended.moved, ended: true, note: ended.outcome.note };
    },
  };
};
