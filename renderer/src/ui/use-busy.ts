// One press, one call: a button is busy until its answer is here, and a failure is said.
import { useCallback, useState } from 'react';
import { notifyFailure, notifyRunning } from './notify.tsx';

type Answer<T> = { ok: true; value: T } | { ok: false; error: { message: string; next_action: string | null } };

/** Wraps calls of one button: `run` answers the value, or null after it has told the failure under `title`. What is chosen in a menu, which is
 *  gone then, says with `running` that it is under way. */
export const useBusy = (title: string, running?: string) => {
  const [isBusy, setBusy] = useState(false);
  const run = useCallback(
    async <T>(call: Promise<Answer<T>>): Promise<T | null> => {
      setBusy(true);
      const ended = running === undefined ? undefined : notifyRunning(running);
      const answer = await call.finally(ended);
      setBusy(false);
      if (answer.ok) return answer.value;
      notifyFailure(title, answer.error);
      return null;
    },
    [title, running],
  );
  return { isBusy, run };
};
