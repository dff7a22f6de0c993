// The screen of a session, for a viewer.
import { useCallback } from 'react';
import { openScreenChannel, type ScreenChannel } from './screen-channel.ts';
import { useAppStore } from './store.ts';

/** Opens the session's screen each time it is called; it stays the same function for the same session. */
export const useScreen = (sessionId: string): (() => ScreenChannel) => {
  const { ask } = useAppStore();
  return useCallback(() => openScreenChannel(ask, sessionId), [ask, sessionId]);
};
