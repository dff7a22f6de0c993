import { act } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { RowList } from '../../../renderer/src/ui/RowList.tsx';
import { WindowedList } from '../../../renderer/src/ui/WindowedList.tsx';
import { draw } from './drawn.tsx';

// The page of the tests lays nothing out.
beforeEach(() => {
  for (const name of ['clientHeight', 'clientWidth'])
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value: 600 });
  Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, value: 30 });
});

const rows = Array.from({ length: 10_000 }, (_, index) => `row ${index}`);

test('of 10,000 rows those in sight are drawn; one takes the focus, and arrows go on from it', () => {
  draw(
    <RowList
      label="Rows"
      layout="is-test"
      rows={rows}
      keyOf={(row) => row}
      columns={[
        {
          name: 'Name',
          cell: (row, focus) => (
            <button type="button" {...focus}>
              {row}
            </button>
          ),
        },
      ]}
    />,
  );
  const list = document.querySelector('[role="table"]');
  expect(list?.getAttribute('aria-rowcount')).toBe('10001');
  const drawn = [...document.querySelectorAll<HTMLElement>('[role="row"] button')];
  expect([drawn.length > 10, drawn.length < 100, drawn.filter(({ tabIndex }) => tabIndex === 0).map((one) => one.textContent)]).toEqual([
    true,
    true,
    ['row 0'],
  ]);
  act(() => drawn[0]?.focus());
  act(() => void drawn[0]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true })));
  expect(document.activeElement?.textContent).toBe('row 1');
});

test('what else can be pressed in a row is in the tab order only where the row is', () => {
  draw(
    <RowList
      label="Rows"
      layout="is-test"
      rows={rows.slice(0, 3)}
      keyOf={(row) => row}
      columns={[
        { name: 'Name', cell: (row, focus) => <a {...focus}>{row}</a> },
        {
          name: 'Actions',
          cell: (row, _focus, part) => (
            <button type="button" {...part}>
              press {row}
            </button>
          ),
        },
      ]}
    />,
  );
  const inTabOrder = () => [...document.querySelectorAll<HTMLElement>('[tabindex="0"]')].map((one) => one.textContent);
  expect(inTabOrder()).toEqual(['row 0', 'press row 0']);
  act(() => [...document.querySelectorAll('button')].at(-1)?.focus());
  expect(inTabOrder()).toEqual(['row 2', 'press row 2']);
});

test('a list asks for more only near its end', () => {
  let asked = 0;
  const drawList = (items: readonly string[]) =>
    draw(
      <WindowedList
        label="Items"
        role="list"
        itemRole="listitem"
        items={items}
        keyOf={(one) => one}
        usualHeight={30}
        draw={(one) => one}
        onEnd={() => {
          asked += 1;
        }}
      />,
    );
  drawList(rows);
  const drawn = [...document.querySelectorAll('[role="listitem"]')];
  expect([asked, drawn[0]?.textContent, drawn.length > 5, drawn.length < 100]).toEqual([0, 'row 0', true, true]);
  drawList(rows.slice(0, 20));
  expect(asked).toBeGreaterThan(0);
});
