// Whether what an address names is there at all: what the window has not read yet is asked for before it is called gone.
import { useEffect, useState } from 'react';
import type { Reply } from '../../../sandbox-engine/contract/bridge.ts';

/** True once the host has answered and the page still has nothing of this id; `look` is the same function for as long as it asks the same. */
export const useGone = (wanted: string, isHere: boolean, look: (id: string) => Promise<Reply<unknown>>): boolean => {
  const [looked, setLooked] = useState<string | null>(null);
  const isWanting = wanted !== '' && !isHere;
  useEffect(() => {
    if (!isWanting) return;
    let isOver = false;
    void look(wanted).then(() => isOver || setLooked(wanted));
    return () => {
      isOver = true;
    };
  }, [isWanting, wanted, look]);
  return isWanting && looked === wanted;
};
