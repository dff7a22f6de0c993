// Whatever is cut can be read: where the mouse rests on it, its title has all of it. In one place, so that rows carry nothing for it.
import { useEffect } from 'react';

const isCut = (element: Element): boolean => element.scrollWidth > element.clientWidth;

const textOf = (element: Element): string => element.textContent?.trim() ?? '';

/** The link of a row lies over all of it: it speaks for the cut parts of its cell. */
const cutTexts = (element: Element): string => {
  const cell = element.matches('.row-name') ? element.closest('[role="cell"]') : null;
  const parts = cell === null ? [element] : [element, ...cell.querySelectorAll('.clip:not(.row-name, :has(.clip))')];
  return parts.some(isCut) ? [...new Set(parts.map(textOf))].join('\n') : '';
};

/** Listens for the mouse as long as the window is open. */
export const useCutTitles = (): void => {
  useEffect(() => {
    const ours = new WeakSet<Element>();
    const onOver = ({ target }: Event) => {
      const element = (target as Element).closest?.('.clip, .panel-title');
      // A title that somebody thought of says more.
      if (!element || (!ours.has(element) && element.closest('[title]') !== null)) return;
      const text = cutTexts(element);
      if (text === '') element.removeAttribute('title');
      else element.setAttribute('title', text);
      ours.add(element);
    };
    document.addEventListener('pointerover', onOver, { passive: true });
    return () => document.removeEventListener('pointerover', onOver);
  }, []);
};
