// Where the focus was on the page. A dialog that was opened from a menu would give it back to the item, which is gone by then; and what
// is removed while it has the focus would leave it nowhere.
import { useEffect } from 'react';
import { dialogClosed } from '../ui/theme.ts';
import { removalHeir } from './removal-heir.ts';

/** Longer than Mantine waits before it gives the focus back itself. */
const afterOwnReturnMs = 30;

const place = (): string => location.hash.split('?', 1)[0] ?? '';

/** Gives the focus back to the page when a dialog has closed and nothing has it, and hands it on when what has it is removed. */
export const useKeptFocus = (): void => {
  useEffect(() => {
    let last: HTMLElement | null = null;
    let lastPlace = '';
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target.closest('.shell') === null) return;
      last = target;
      lastPlace = place();
    };
    const giveBack = () => {
      if (document.activeElement !== document.body) return;
      const heir = last?.isConnected ? last : document.getElementById('main');
      heir?.focus({ preventScroll: true });
    };
    const wait = () => setTimeout(giveBack, afterOwnReturnMs);
    // By the time it is told, what brings the focus somewhere itself has done so.
    const handOn = (changes: MutationRecord[]) => {
      if (last === null || last.isConnected || document.activeElement !== document.body) return;
      const gone = last;
      // Another page begins at its beginning.
      if (place() !== lastPlace) return;
      const page = document.getElementById('main');
      const change = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)));
      if (change === undefined || page === null) return;
      last = null;
      removalHeir(change, page)?.focus({ preventScroll: true });
    };
    const watcher = new MutationObserver(handOn);
    watcher.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    window.addEventListener(dialogClosed, wait);
    return () => {
      watcher.disconnect();
      document.removeEventListener('focusin', remember);
      window.removeEventListener(dialogClosed, wait);
    };
  }, []);
};
