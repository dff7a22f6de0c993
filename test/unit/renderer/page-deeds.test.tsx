import { act, useState } from 'react';
import { expect, test } from 'vitest';
import { PageDeedsProvider, useDeedsOfPage, usePageDeeds } from '../../../renderer/src/ui/page-deeds.tsx';
import { button, draw } from './drawn.tsx';

const Palette = () => (
  <ul>
    {useDeedsOfPage().map(({ label, isPart, run }) => (
      <li key={label}>
        <button type="button" onClick={run}>{`${label}${isPart ? ' →' : ''}`}</button>
      </li>
    ))}
  </ul>
);

const done: string[] = [];

const Page = () => {
  const [count, setCount] = useState(0);
  usePageDeeds([
    { label: 'Count', run: () => setCount(count + 1) },
    count > 1 && { label: 'Tell', run: () => done.push(`counted to ${count}`) },
    { label: 'Show more', isPart: true, run: () => undefined },
  ]);
  return null;
};

const House = () => {
  const [isOpen, setOpen] = useState(true);
  return (
    <PageDeedsProvider>
      <Palette />
      {isOpen && <Page />}
      <button type="button" onClick={() => setOpen(false)}>
        leave
      </button>
    </PageDeedsProvider>
  );
};

const offered = () => [...document.querySelectorAll('li')].map((one) => one.textContent);

test('what a page can do now is offered while it is there, and done as the page is then', () => {
  draw(<House />);
  expect(offered()).toEqual(['Count', 'Show more →']);
  act(() => button('Count').click());
  act(() => button('Count').click());
  expect(offered()).toEqual(['Count', 'Tell', 'Show more →']);
  act(() => button('Tell').click());
  expect(done).toEqual(['counted to 2']);
  act(() => button('leave').click());
  expect(offered()).toEqual([]);
});
