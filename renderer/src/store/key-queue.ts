// Keeps keystrokes in order: one write is under way at a time, what is typed meanwhile goes together in the next one.

/** Sends bytes through `send` in the order of the calls. When a write failed the rest of that queue is dropped:
 * typing into a closed terminal must not come out later somewhere else. */
export const createKeyQueue = (send: (bytes: Uint8Array) => Promise<boolean>): ((bytes: Uint8Array) => void) => {
  let pending: Uint8Array[] = [];
  let isBusy = false;

  const drain = async () => {
    isBusy = true;
    while (pending.length > 0) {
      const batch = new Uint8Array(pending.reduce((size, bytes) => size + bytes.length, 0));
      let at = 0;
      for (const bytes of pending) {
        batch.set(bytes, at);
        at += bytes.length;
      }
      pending = [];
      if (!(await send(batch))) pending = [];
    }
    isBusy = false;
  };

  return (bytes) => {
    pending.push(bytes);
    if (!isBusy) void drain();
  };
};
