// Waits for the host to say that something is finished; asks too, so that a lost event never hangs a command.
import type { AppEvent } from '../../sandbox-engine/contract/events.ts';
import type { CommandContext } from './command-context.ts';

const askAgainMs = 1000;

export interface Waiting<T> {
  /** The value in an event, or null when the event is about something else. */
  inEvent: (event: AppEvent) => T | null;
  ask: () => Promise<T>;
  isOver: (value: T) => boolean;
  onChange?: (value: T) => void;
}

/** The first value for which `isOver` holds. */
export const waitFor = async <T>(context: CommandContext, { inEvent, ask, isOver, onChange }: Waiting<T>): Promise<T> => {
  let finished: T | null = null;
  let wake: () => void = () => undefined;
  const look = (value: T | null): void => {
    if (value === null || finished !== null) return;
    onChange?.(value);
    if (!isOver(value)) return;
    finished = value;
    wake();
  };
  const unsubscribe = await context.hear((event) => look(inEvent(event)));
  try {
    for (;;) {
      look(await ask());
      if (finished !== null) return finished;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, askAgainMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (finished !== null) return finished;
    }
  } finally {
    unsubscribe();
  }
};

/** Runs `work` and, on Ctrl-C, `stop` first; then the command ends with 130. The second Ctrl-C ends at once. */
export const interruptible = async <T>(work: () => Promise<T>, stop: () => Promise<unknown>): Promise<T> => {
  let isStopping = false;
  const interrupt = (): void => {
    if (isStopping) process.exit(130);
    isStopping = true;
    void stop()
      .catch(() => undefined)
      .finally(() => process.exit(130));
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    return await work();
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
};
