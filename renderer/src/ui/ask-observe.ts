// The question before a network is opened to see what is reached: once a run or a session, in plain words.
import { confirm } from './confirm.tsx';

const open =
  'Everything public can be reached, so whatever runs inside can send data anywhere. Each destination is written down. Private addresses, this computer, and what a rule denies stay closed.';

/** Asks before a setup run. */
export const askObservedRun = (onConfirm: () => void): void =>
  confirm({
    title: 'Open the network for one setup run?',
    body: `${open} The run proves nothing and leaves no image; afterwards you get the smallest rules that cover it.`,
    confirm: 'Observe this run',
    onConfirm,
  });

/** Asks before a session. */
export const askObservedSession = (onConfirm: () => void): void =>
  confirm({
    title: 'Open the network of one session?',
    body: `${open} It stays so until you end the observation on the page of the session; then its rules decide again.`,
    confirm: 'Launch observed',
    onConfirm,
  });
