// biome-ignore-all lint/a11y/useSemanticElements: a virtual list cannot be a table element; the roles say what it is, and its cells hold what takes the focus
// biome-ignore-all lint/a11y/useFocusableInteractive: a virtual list cannot be a table element; the roles say what it is, and its cells hold what takes the focus
// A table of which only the rows in sight are drawn. Arrows move between rows, Enter chooses one.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { useRowKeys } from './use-row-keys.ts';

export interface RowListColumn<Row> {
  name: string;
  /** Of a narrow list the less important ones are left out. */
  isExtra?: boolean;
  cell: (row: Row) => ReactNode;
}

interface RowListProps<Row> {
  label: string;
  /** The class that lays the columns out. */
  layout: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** What the focusable cell of a row shows; it chooses the row. */
  main: { name: string; text: (row: Row) => string };
  before: readonly RowListColumn<Row>[];
  after: readonly RowListColumn<Row>[];
  chosen: string | null;
  onChoose: (row: Row) => void;
  onEnd?: () => void;
}

const rowHeight = 32;

/** The list. */
export function RowList<Row>({ label, layout, rows, keyOf, main, before, after, chosen, onChoose, onEnd }: RowListProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  const keys = useRowKeys(scroller, rows.length, (index) => virtualizer.scrollToIndex(index));
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 30) onEnd?.();
  }, [last, rows.length, onEnd]);

  const heads = [...before, { name: main.name }, ...after] as { name: string; isExtra?: boolean }[];
  const cells = (columns: readonly RowListColumn<Row>[], row: Row) =>
    columns.map(({ name, isExtra, cell }) => (
      <div role="cell" key={name} className={isExtra ? 'is-extra clip' : 'clip'}>
        {cell(row)}
      </div>
    ));

  return (
    <div className="egress-list" ref={scroller} role="table" aria-label={label} aria-rowcount={rows.length + 1} onKeyDown={keys.onKeyDown}>
      <div className={`egress-row is-head ${layout}`} role="row" aria-rowindex={1}>
        {heads.map(({ name, isExtra }) => (
          <div role="columnheader" key={name} className={isExtra ? 'is-extra clip' : 'clip'}>
            {name}
          </div>
        ))}
      </div>
      <div role="rowgroup" style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const isChosen = keyOf(row) === chosen;
          return (
            <div
              key={item.key}
              role="row"
              aria-rowindex={item.index + 2}
              className={`egress-row is-item ${layout}${isChosen ? ' is-chosen' : ''}`}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {cells(before, row)}
              <div role="cell" className="clip">
                <button
                  type="button"
                  className="text-button mono egress-destination clip"
                  data-row={item.index}
                  tabIndex={item.index === keys.at ? 0 : -1}
                  aria-expanded={isChosen}
                  title={main.text(row)}
                  onFocus={() => keys.setAt(item.index)}
                  onClick={() => onChoose(row)}
                >
                  {main.text(row)}
                </button>
              </div>
              {cells(after, row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
