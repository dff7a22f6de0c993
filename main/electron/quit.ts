// How the app ends: it asks what becomes of sessions and of edits that are not saved, then closes the host. The system going down asks nobody.
import type { QuitAnswer } from './quit-dialog.ts';

export interface QuitOptions {
  /** What becomes of running sessions. */
  decide: () => Promise<QuitAnswer>;
  /** Closes the window; false when the person stays because of edits. */
  closeWindow: () => Promise<boolean>;
  closeHost: (options: { stopSessions: boolean }) => Promise<void>;
  /** The person chose to stay: shows the window, which may be closed. */
  onStay: () => void;
}

export interface Quit {
  /** Asks, and ends unless the person stays; a second wish while it asks is the same wish. */
  ask: () => Promise<void>;
  /** Ends as the person has said already, unless edits hold them. */
  withAnswer: (answer: 'keep' | 'stop') => Promise<void>;
  /** Ends at once and leaves sessions running: the machine is shut down, or the app cannot go on. */
  now: () => Promise<void>;
  /** What `before-quit` must do: hold the app until the host has closed in order. */
  onBeforeQuit: (event: { preventDefault: () => void }) => void;
  isEnding: () => boolean;
}

/** Makes the one way out of the app. The entry ends the process once the host is closed. */
export const createQuit = ({ decide, closeWindow, closeHost, onStay }: QuitOptions): Quit => {
  let asking: Promise<void> | null = null;
  let isEnding = false;
  const end = async (stopSessions: boolean): Promise<void> => {
    isEnding = true;
    await closeHost({ stopSessions });
  };
  const askAndEnd = async (find: () => Promise<QuitAnswer>): Promise<void> => {
    // A host that cannot be asked keeps its sessions: nothing is lost that way.
    const answer = await find().catch((): QuitAnswer => 'keep');
    if (answer === 'stay') return onStay();
    if (!(await closeWindow())) return undefined;
    if (!isEnding) await end(answer === 'stop');
    return undefined;
  };
  const once = async (find: () => Promise<QuitAnswer>): Promise<void> => {
    if (isEnding) return;
    asking ??= askAndEnd(find).finally(() => {
      asking = null;
    });
    await asking;
  };
  const ask = async (): Promise<void> => await once(decide);
  return {
    ask,
    withAnswer: async (answer) => await once(async () => answer),
    now: async () => await end(false),
    onBeforeQuit: (event) => {
      event.preventDefault();
      void ask();
    },
    isEnding: () => isEnding,
  };
};
