// biome-ignore-all lint/a11y/useSemanticElements: a virtual list cannot be a table element; the roles say what it is, and its cells hold what takes the focus
// biome-ignore-all lint/a11y/useFocusableInteractive: a virtual list cannot be a table element; the roles say what it is, and its cells hold what takes the focus
// A table of which only the rows in sight are drawn, however many there are. Tab comes to one row and goes through what is in it, arrows go
// on to the next. It is where one left it.
import './rows.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useRef } from 'react';
import { useRowHeight } from './density.ts';
import { useKeptScroll } from './use-kept-scroll.ts';
import { useRowKeys } from './use-row-keys.ts';

/** Goes to what takes the focus in a row: its link or its button. */
export interface RowFocus {
  'data-row': number;
  tabIndex: 0 | -1;
  onFocus: () => void;
}

/** Whatever else can be pressed in a row: Tab comes to it only in the row that it came to. */
export type RowPart = Omit<RowFocus, 'data-row'>;

export interface RowListColumn<Row> {
  name: string;
  /** Only read aloud: what is in the column says itself to the eye. */
  isNameHidden?: boolean;
  /** In a narrow list the less important ones are left out. */
  isExtra?: boolean;
  isNumber?: boolean;
  /** What is in it may be pressed or hang over: it is not cut off. */
  isWhole?: boolean;
  cell: (row: Row, focus: RowFocus, part: RowPart) => ReactNode;
}

interface RowListProps<Row> {
  label: string;
  /** The class that lays the columns out. */
  layout: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: readonly RowListColumn<Row>[];
  /** Two lines in a row. */
  isTall?: boolean;
  chosen?: string | null;
  onEnd?: (() => void) | undefined;
}

const classOf = ({ isExtra, isNumber, isWhole }: Omit<RowListColumn<never>, 'cell' | 'name'>): string =>
  [isWhole ? 'is-whole' : 'clip', isExtra && 'is-extra', isNumber && 'is-number'].filter(Boolean).join(' ');

interface RowViewProps {
  row: unknown;
  index: number;
  top: number;
  className: string;
  columns: readonly RowListColumn<never>[];
  isTabStop: boolean;
  onFocus: (index: number) => void;
}

/** A row that stays as it is while others come into sight. */
const RowView = memo(({ row, index, top, className, columns, isTabStop, onFocus }: RowViewProps) => {
  const part: RowPart = { tabIndex: isTabStop ? 0 : -1, onFocus: () => onFocus(index) };
  const focus: RowFocus = { 'data-row': index, ...part };
  return (
    <div role="row" aria-rowindex={index + 2} className={className} style={{ transform: `translateY(${top}px)` }}>
      {columns.map(({ name, cell, ...column }) => (
        <div role="cell" key={name} className={classOf(column)}>
          {cell(row as never, focus, part)}
        </div>
      ))}
    </div>
  );
});

/** The list. */
export function RowList<Row>({ label, layout, rows, keyOf, columns, isTall = false, chosen = null, onEnd }: RowListProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight(isTall ? '--row' : '--row-small');
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: isTall ? 3 : 6,
    initialRect: { width: 1000, height: 600 },
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another density have another height
  useEffect(() => virtualizer.measure(), [rowHeight]);
  useKeptScroll(scroller, label, rows.length);
  const keys = useRowKeys(scroller, rows.length, (index) => virtualizer.scrollToIndex(index));
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 30) onEnd?.();
  }, [last, rows.length, onEnd]);

  return (
    <div className="row-list" ref={scroller} role="table" aria-label={label} aria-rowcount={rows.length + 1} onKeyDown={keys.onKeyDown}>
      <div className={`row-item is-head ${layout}${isTall ? ' is-of-tall' : ''}`} role="row" aria-rowindex={1}>
        {columns.map(({ name, isNameHidden, ...column }) => (
          <div role="columnheader" key={name} className={classOf(column)}>
            {isNameHidden ? <span className="visually-hidden">{name}</span> : name}
          </div>
        ))}
      </div>
      <div role="rowgroup" style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <RowView
              key={item.key}
              row={row}
              index={item.index}
              top={item.start}
              className={`row-item is-item ${layout}${isTall ? ' is-tall' : ''}${keyOf(row) === chosen ? ' is-chosen' : ''}`}
              columns={columns as readonly RowListColumn<never>[]}
              isTabStop={item.index === keys.at}
              onFocus={keys.setAt}
            />
          );
        })}
      </div>
    </div>
  );
}
