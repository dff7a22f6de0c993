// The question before a network is opened to see what is reached: once a run or a session, in plain words.
import { confirm } from './confirm.tsx';

const open =
  'Everything public can be reached, so whatever runs inside can send data anywhere. Each destination is written down. Private addresses, this computer, and what a rule denies stay closed.';

/** What is asked before a setup run: edits are saved for it, and that is said. */
export const observedRunWords = (isDirty: boolean) => ({
  title: 'Open the network for one setup run?',
  body: `${isDirty ? 'Your edits are saved first, since a run takes what is saved. ' : ''}${open} The run proves nothing and leaves no image; afterwards you get the smallest rules that cover it.`,
  confirm: isDirty ? 'Save and observe' : 'Observe this run',
});

/** Asks before a setup run. */
export const askObservedRun = ({ isDirty, onConfirm }: { isDirty: boolean; onConfirm: () => void }): void =>
  confirm({ ...observedRunWords(isDirty), onConfirm });

/** Asks before a session. */
export const askObservedSession = (onConfirm: () => void): void =>
  confirm({
    title: 'Open the network of one session?',
    body: `${open} It stays so until you end the observation on the page of the session; then its rules decide again.`,
    confirm: 'Launch observed',
    onConfirm,
  });
