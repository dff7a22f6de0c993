// The text clipboard between this machine and a desktop: nothing passes either way until a person shares it, for this desktop and for as long
// as it is shown. Without that a text can still be sent and taken by hand.
import { type RefObject, useRef, useState } from 'react';
import type { RemoteScreenHandle } from '../ui/RemoteScreen.tsx';

export interface SharedClipboard {
  isShared: boolean;
  share: (isShared: boolean) => void;
  /** What was copied over there last; kept here only until it is asked for. */
  theirs: string | null;
  /** Why this machine's own clipboard could not be read or written. */
  trouble: string | null;
  /** Told when something was copied over there. */
  copied: (text: string) => void;
  /** Sends this machine's clipboard, where it is shared. */
  send: () => void;
  /** Sends a text that a person gave. */
  paste: (text: string) => void;
}

const refused = 'The browser does not let this page use your clipboard. Send and copy by hand below.';

/** The clipboard of the desktop behind this handle. */
export const useSharedClipboard = (handle: RefObject<RemoteScreenHandle | null>): SharedClipboard => {
  const [isShared, setShared] = useState(false);
  const [theirs, setTheirs] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  // What both have: sending it back and forth would move the cursor of a program that watches.
  const both = useRef<string | null>(null);

  const copied = (text: string) => {
    setTheirs(text);
    if (!isShared || text === both.current) return;
    both.current = text;
    navigator.clipboard.writeText(text).then(
      () => setTrouble(null),
      () => setTrouble(refused),
    );
  };
  const read = async () => {
    try {
      const text = await navigator.clipboard.readText();
      setTrouble(null);
      if (text === '' || text === both.current) return;
      both.current = text;
      handle.current?.paste(text);
    } catch {
      setTrouble(refused);
    }
  };
  return {
    isShared,
    share: (next) => {
      setShared(next);
      setTrouble(null);
      both.current = null;
      if (next) void read();
    },
    theirs,
    trouble,
    copied,
    send: () => {
      if (isShared) void read();
    },
    paste: (text) => handle.current?.paste(text),
  };
};
