// A list is where one left it: after a reload, and when one comes back to it. Kept as long as the window lives.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

const keyOf = (name: string): string => `sandlot-scroll ${location.hash} ${name}`;

/** Restores and keeps how far the element is scrolled; `size` is what has to grow before it can be scrolled so far (rows come in pages). */
export const useKeptScroll = (element: RefObject<HTMLElement | null>, name: string, size: number): void => {
  const wanted = useRef<number | null>(null);
  const key = useRef('');
  if (key.current === '') {
    key.current = keyOf(name);
    wanted.current = Number(sessionStorage.getItem(key.current) ?? 0) || null;
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again whenever there is more to scroll
  useEffect(() => {
    if (wanted.current === null || !element.current) return;
    element.current.scrollTop = wanted.current;
    if (element.current.scrollTop >= wanted.current - 1) wanted.current = null;
  }, [element, size]);
  // Before the list leaves the page: then it can still say where it is.
  useLayoutEffect(() => {
    const scrolled = element.current;
    if (!scrolled) return;
    // A person who scrolls knows better than what was kept.
    const forget = () => {
      wanted.current = null;
    };
    // Asking where it is lays the page out, and writing that down takes milliseconds: not while it is still scrolled.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const place = keyOf(name);
    let isMoved = false;
    const keep = () => {
      clearTimeout(timer);
      if (isMoved) sessionStorage.setItem(place, String(Math.round(scrolled.scrollTop)));
      isMoved = false;
    };
    const note = () => {
      if (wanted.current !== null) return;
      isMoved = true;
      clearTimeout(timer);
      timer = setTimeout(keep, 250);
    };
    scrolled.addEventListener('wheel', forget, { passive: true });
    scrolled.addEventListener('keydown', forget);
    scrolled.addEventListener('scroll', note, { passive: true });
    addEventListener('pagehide', keep);
    return () => {
      scrolled.removeEventListener('wheel', forget);
      scrolled.removeEventListener('keydown', forget);
      scrolled.removeEventListener('scroll', note);
      removeEventListener('pagehide', keep);
      keep();
    };
  }, [element, name]);
};
