// A list of which only what is in sight is drawn; its items have heights of their own. It is where one left it.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type HTMLAttributes, type ReactNode, useEffect, useRef } from 'react';
import { useKeptScroll } from './use-kept-scroll.ts';

interface WindowedListProps<Item> extends Pick<HTMLAttributes<HTMLElement>, 'className' | 'role' | 'onKeyDown'> {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** Pixels, before one was drawn. */
  usualHeight: number;
  /** What one item is to a screen reader, where the list has a role: its place among all is told. */
  itemRole?: 'listitem';
  draw: (item: Item, index: number) => ReactNode;
  onEnd?: (() => void) | undefined;
}

/** The list; it fills the room it is in. */
export function WindowedList<Item>(props: WindowedListProps<Item>) {
  const { label, items, keyOf, usualHeight, itemRole, draw, onEnd, className = 'windowed', ...rest } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    overscan: 10,
    initialRect: { width: 400, height: 600 },
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
  });
  useKeptScroll(scroller, label, items.length);
  const drawn = virtualizer.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= items.length - 30) onEnd?.();
  }, [last, items.length, onEnd]);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: whoever draws the list gives it its role
    <div className={className} ref={scroller} aria-label={label} {...rest}>
      <div style={{ position: 'relative', height: virtualizer.getTotalSize() }} {...(itemRole && { role: 'presentation' })}>
        {drawn.map(({ index, key, start }) => {
          const item = items[index];
          return (
            item !== undefined && (
              <div
                key={key}
                data-index={index}
                ref={virtualizer.measureElement}
                className="windowed-item"
                style={{ transform: `translateY(${start}px)` }}
                {...(itemRole && { role: itemRole, 'aria-setsize': onEnd ? -1 : items.length, 'aria-posinset': index + 1 })}
              >
                {draw(item, index)}
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
