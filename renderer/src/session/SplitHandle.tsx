// The line between two terminals: dragged, or moved by the arrow keys.
import type { KeyboardEvent, PointerEvent } from 'react';

/** The least and the most of the room that the left one may have, in percent. */
const least = 20;
const most = 80;
const stepPercent = 5;

const within = (share: number): number => Math.min(most, Math.max(least, Math.round(share)));

interface SplitHandleProps {
  /** Percent of the room that is left of it. */
  share: number;
  onShare: (share: number) => void;
}

/** The handle; its parent is the room that it divides. */
export const SplitHandle = ({ share, onShare }: SplitHandleProps) => {
  const drag = (event: PointerEvent<HTMLElement>) => {
    const room = event.currentTarget.parentElement?.getBoundingClientRect();
    if (event.buttons !== 1 || !room || room.width === 0) return;
    onShare(within(((event.clientX - room.left) / room.width) * 100));
  };
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? stepPercent : event.key === 'ArrowLeft' ? -stepPercent : 0;
    if (step === 0) return;
    event.preventDefault();
    onShare(within(share + step));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved; this one can
    <div
      className="split-handle"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the terminals"
      aria-valuenow={share}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={move}
    />
  );
};
