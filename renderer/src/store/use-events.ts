// What the host tells, event by event, for a screen that keeps something of its own.
import { useEffect, useRef } from 'react';
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';
import { useAppStore } from './store.ts';

/** Calls `listener` for every event while the screen is shown. */
export const useEvents = (listener: (event: AppEvent) => void): void => {
  const { listen } = useAppStore();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => listen((event) => latest.current(event)), [listen]);
};
