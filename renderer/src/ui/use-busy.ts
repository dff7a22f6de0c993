// One press, one call: a button is busy until its answer is here, and a failure is said.
import { useCallback, useState } from 'react';
import { notifyFailure } from './notify.tsx';

type Answer<T> = { ok: true; value: T } | { ok: false; error: { message: string; next_action: string | null } };

/** Wraps calls of one button: `run` answers the value, or null after it has told the failure under `title`. */
export const useBusy = (title: string) => {
  const [isBusy, setBusy] = useState(false);
  const run = useCallback(
    async <T>(call: Promise<Answer<T>>): Promise<T | null> => {
      setBusy(true);
      const answer = await call;
      setBusy(false);
      if (answer.ok) return answer.value;
      notifyFailure(title, answer.error);
      return null;
    },
    [title],
  );
  return { isBusy, run };
};
