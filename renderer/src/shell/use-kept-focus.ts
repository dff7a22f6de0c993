// Where the focus was on the page. A dialog that was opened from a menu would give it back to the item, which is gone by then.
import { useEffect } from 'react';
import { dialogClosed } from '../ui/theme.ts';

/** Longer than Mantine waits before it gives the focus back itself. */
const afterOwnReturnMs = 30;

/** Gives the focus back to the page when a dialog has closed and nothing has it. */
export const useKeptFocus = (): void => {
  useEffect(() => {
    let last: HTMLElement | null = null;
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.closest('.shell')) last = target;
    };
    const giveBack = () => {
      if (document.activeElement !== document.body) return;
      const heir = last?.isConnected ? last : document.getElementById('main');
      heir?.focus({ preventScroll: true });
    };
    const wait = () => setTimeout(giveBack, afterOwnReturnMs);
    document.addEventListener('focusin', remember);
    window.addEventListener(dialogClosed, wait);
    return () => {
      document.removeEventListener('focusin', remember);
      window.removeEventListener(dialogClosed, wait);
    };
  }, []);
};
