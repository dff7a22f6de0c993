// What happens when the page would lose something or has broken: edits that are not saved are asked about, a page that crashed comes back.
import type { HostLog } from '../host/host-log.ts';

/** A question with two or more answers; the number of the button is answered. */
export type AskPerson = (question: { message: string; detail: string; buttons: string[] }) => Promise<number>;

export interface PageLifeOptions {
  ask: AskPerson;
  close: () => void;
  reload: () => void;
  quit: () => void;
  log: Pick<HostLog, 'warn' | 'error'>;
  nowMs: () => number;
}

export interface PageLife {
  /** For the window's `close`, which comes before the page is asked. */
  onClose: () => void;
  /** For `will-prevent-unload`: the page has edits that are not saved. */
  onPreventUnload: (event: { preventDefault: () => void }) => void;
  /** For `did-finish-load`: a new page has no edits. */
  onLoaded: () => void;
  /** For `render-process-gone`. */
  onGone: (details: { reason: string; exitCode: number }) => void;
  /** For `unresponsive`. */
  onUnresponsive: () => void;
  /** Called when the person stays because of edits, until `onClose` is the next time. */
  onceStayed: (tell: () => void) => void;
}

/** A page that breaks this soon after it was brought back breaks for a reason. */
const soonMs = 30_000;

const edits = {
  message: 'There are edits that are not saved',
  detail: 'An environment was edited and not saved. Leaving throws the edits away.',
  buttons: ['Stay', 'Throw edits away'],
};

/** Asks one question at a time; while one is open, others are dropped. */
const askOneAtATime = (ask: AskPerson) => {
  let isAsking = false;
  return async (question: Parameters<AskPerson>[0], acts: readonly (() => void)[]): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const answer = await ask(question).finally(() => {
      isAsking = false;
    });
    acts[answer]?.();
  };
};

/** Leaves a page with edits only when the person says so. The host must not stand still meanwhile, so the page stays first and goes later. */
const createLeaving = ({ ask, close, reload }: Pick<PageLifeOptions, 'close' | 'reload'> & { ask: ReturnType<typeof askOneAtATime> }) => {
  let isClosing = false;
  let isAgreed = false;
  let tellStayed: () => void = () => undefined;
  const stay = (): void => {
    isClosing = false;
    tellStayed();
  };
  const leave = (): void => {
    isAgreed = true;
    if (isClosing) close();
    else reload();
  };
  return {
    onClose: () => {
      isClosing = true;
    },
    onLoaded: () => {
      isClosing = false;
      isAgreed = false;
    },
    onPreventUnload: (event: { preventDefault: () => void }) => {
      // To prevent the prevention is to leave.
      if (isAgreed) event.preventDefault();
      else void ask(edits, [stay, leave]);
    },
    onceStayed: (tell: () => void) => {
      tellStayed = tell;
    },
  };
};

/** Makes the answers to what may happen to the page. */
export const createPageLife = (options: PageLifeOptions): PageLife => {
  const { close, reload, quit, log, nowMs } = options;
  const ask = askOneAtATime(options.ask);
  let reloadedAt = Number.NEGATIVE_INFINITY;
  return {
    ...createLeaving({ ask, close, reload }),
    onGone: ({ reason, exitCode }) => {
      if (reason === 'clean-exit') return;
      log.error({ reason, exitCode }, 'the page has ended');
      const isAgain = nowMs() - reloadedAt < soonMs;
      reloadedAt = nowMs();
      if (!isAgain) return reload();
      const detail = `The page of the window ended twice (${reason}). Sessions, builds and setup runs go on. The log of the host has more.`;
      void ask({ message: 'The window has broken', detail, buttons: ['Try again', 'Quit'] }, [reload, quit]);
    },
    onUnresponsive: () => {
      log.warn({}, 'the page does not answer');
      const detail = 'Sessions go on. Loading the window anew loses edits that are not saved.';
      void ask({ message: 'The window does not answer', detail, buttons: ['Wait', 'Load it anew'] }, [() => undefined, reload]);
    },
  };
};
