// Where a log is scrolled to: at its end until one scrolls up; and how much room there is.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { logRowHeight, logWindow, scrollTopOf } from './log-window.ts';

/** Where nothing can be measured yet. */
const unmeasured = { height: 600, columns: 120 };

/** Pixels and letters that have room in the log; `probe` holds a hundred letters. */
const useLogRoom = (scroller: RefObject<HTMLElement | null>, probe: RefObject<HTMLElement | null>) => {
  const [room, setRoom] = useState(unmeasured);
  useEffect(() => {
    const measure = () => {
      const [element, letters] = [scroller.current, probe.current];
      if (!element || !letters || element.clientHeight === 0) return;
      const letter = letters.getBoundingClientRect().width / 100;
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      const width = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      setRoom({ height: element.clientHeight, columns: letter > 0 ? Math.max(20, Math.floor(width / letter)) : unmeasured.columns });
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [scroller, probe]);
  return room;
};

/** `log` is another one when another log is shown: that begins at its end. */
export const useLogScroll = (scroller: RefObject<HTMLElement | null>, probe: RefObject<HTMLElement | null>, log: unknown) => {
  const { height, columns } = useLogRoom(scroller, probe);
  const [scrollTop, setScrollTop] = useState(0);
  const isFollowing = useRef(true);

  useEffect(() => {
    void log;
    isFollowing.current = true;
  }, [log]);

  return {
    columns,
    windowOf: (total: number) => logWindow({ total, height, scrollTop: isFollowing.current ? null : scrollTop }),
    onScroll: () => {
      const element = scroller.current;
      if (!element) return;
      isFollowing.current = element.scrollTop + element.clientHeight >= element.scrollHeight - logRowHeight;
      setScrollTop(element.scrollTop);
    },
    isAtEnd: () => isFollowing.current,
    /** After each drawing: an end that moved is followed. */
    keepEnd: () => {
      if (isFollowing.current && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
    },
    /** Brings a row into sight. */
    show: (row: number, total: number) => {
      const element = scroller.current;
      if (!element) return;
      isFollowing.current = false;
      const wanted = scrollTopOf(row, { total, height });
      element.scrollTop = wanted;
      setScrollTop(wanted);
    },
  };
};
