// Holds back what canaries try, so that it stands in nobody's log, and keeps it for those that judge them.
import type { Attempt } from '../contract/model.ts';
import { isCanaryHost, type SeenDestination } from '../gate/canary.ts';

export interface CanaryWatch {
  /** What is left of a batch without that of the canaries under way. */
  sift: (batch: readonly Attempt[]) => Attempt[];
  /** Watches for one run; `seen` fills until `end`. */
  begin: (nonce: string) => { seen: SeenDestination[]; end: () => void };
}

/** Makes the watch of one host. */
export const createCanaryWatch = (): CanaryWatch => {
  const underway = new Map<string, SeenDestination[]>();
  const take = ({ host, verdict }: Attempt): boolean => {
    for (const [nonce, seen] of underway) {
      if (!isCanaryHost(host, nonce)) continue;
      seen.push({ host, verdict });
      return true;
    }
    return false;
  };
  return {
    sift: (batch) => (underway.size === 0 ? [...batch] : batch.filter((attempt) => !take(attempt))),
    begin: (nonce) => {
      const seen: SeenDestination[] = [];
      underway.set(nonce, seen);
      return { seen, end: () => void underway.delete(nonce) };
    },
  };
};
