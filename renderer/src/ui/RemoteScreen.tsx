// Shows a screen that comes through a channel, and gives it the mouse and the keyboard. Knows no session.
import './remote-screen.css';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import { BoundedScreen } from './bounded-screen.ts';

/** `fit`: the picture is scaled; `follow`: the screen takes the size of this window; `actual`: one to one. */
export type ScreenFit = 'fit' | 'follow' | 'actual';

export type ScreenState = 'connecting' | 'connected' | 'closed';

export interface RemoteScreenHandle {
  /** Puts the text into the clipboard over there. */
  paste: (text: string) => void;
  focus: () => void;
  blur: () => void;
}

interface RemoteScreenProps {
  /** What a screen reader calls it. */
  label: string;
  /** Opens the channel; another function is another screen. */
  open: () => object;
  fit: ScreenFit;
  isViewOnly: boolean;
  onState: (state: ScreenState) => void;
  /** Somebody over there copied a text. */
  onCopied: (text: string) => void;
  onFocus: () => void;
  /** The keys are back here; whether because somebody asked for them by their keys. */
  onBlur: (isAskedFor: boolean) => void;
  handle: RefObject<RemoteScreenHandle | null>;
}

/** More is no text that a person copied. */
const longestText = 1_000_000;

const apply = (screen: BoundedScreen, fit: ScreenFit, isViewOnly: boolean): void => {
  screen.scaleViewport = fit === 'fit';
  screen.resizeSession = fit === 'follow';
  screen.clipViewport = fit === 'actual';
  screen.viewOnly = isViewOnly;
};

const isRelease = ({ key, ctrlKey, altKey }: KeyboardEvent): boolean => key === 'Escape' && ctrlKey && altKey;

/** The screen. All keys go to it while it has the focus, but for Ctrl+Alt+Esc, which gives them back. */
export const RemoteScreen = ({ label, open, fit, isViewOnly, onState, onCopied, onFocus, onBlur, handle }: RemoteScreenProps) => {
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<BoundedScreen | null>(null);
  const isAskedFor = useRef(false);
  const told = useRef({ onState, onCopied });
  told.current = { onState, onCopied };
  const wanted = useRef({ fit, isViewOnly });
  wanted.current = { fit, isViewOnly };

  useEffect(() => {
    if (place.current === null) return undefined;
    const now = new BoundedScreen(place.current, open(), { shared: true });
    screen.current = now;
    now.background = 'transparent';
    now.qualityLevel = 7;
    apply(now, wanted.current.fit, wanted.current.isViewOnly);
    const tell = (state: ScreenState) => () => {
      if (screen.current === now) told.current.onState(state);
    };
    now.addEventListener('connect', tell('connected'));
    now.addEventListener('disconnect', tell('closed'));
    now.addEventListener('securityfailure', tell('closed'));
    now.addEventListener('clipboard', (event) => {
      const { text } = (event as CustomEvent<{ text: string }>).detail;
      if (text.length <= longestText) told.current.onCopied(text);
    });
    told.current.onState('connecting');
    return () => {
      screen.current = null;
      now.disconnect();
    };
  }, [open]);

  useEffect(() => {
    if (screen.current !== null) apply(screen.current, fit, isViewOnly);
  }, [fit, isViewOnly]);

  useImperativeHandle(handle, () => ({
    paste: (text) => screen.current?.clipboardPasteFrom(text.slice(0, longestText)),
    focus: () => screen.current?.focus({ preventScroll: true }),
    blur: () => screen.current?.blur(),
  }));

  return (
    <section
      ref={place}
      className="remote-screen"
      aria-label={label}
      onFocus={onFocus}
      onBlur={() => {
        onBlur(isAskedFor.current);
        isAskedFor.current = false;
      }}
      onKeyDownCapture={(event) => {
        if (!isRelease(event.nativeEvent)) return;
        event.stopPropagation();
        event.preventDefault();
        isAskedFor.current = true;
        screen.current?.blur();
      }}
    />
  );
};
