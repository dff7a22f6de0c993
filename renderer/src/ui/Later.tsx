import { type ReactNode, startTransition, useEffect, useState } from 'react';

/** Draws what costs much a moment after the rest, and not at all where it has scrolled away by then. */
export const Later = ({ children }: { children: ReactNode }) => {
  const [isReady, setReady] = useState(false);
  useEffect(() => startTransition(() => setReady(true)), []);
  return isReady ? children : null;
};
