// What is shown where a page throws.
import { expect, test, vi } from 'vitest';
import { PageBoundary } from '../../../renderer/src/shell/PageBoundary.tsx';
import { drawOver } from './drawn-app.tsx';

const Broken = ({ message }: { message: string }) => {
  throw new Error(message);
};

test.each([
  ['it is not a function', 'This page could not be shown', 'it is not a function. Nothing in the host'],
  [
    'Failed to fetch dynamically imported module: http://127.0.0.1:1/assets/A.js',
    'Sandlot was updated meanwhile',
    'no longer there. Nothing in',
  ],
  [
    'error loading dynamically imported module: http://127.0.0.1:1/assets/A.js',
    'Sandlot was updated meanwhile',
    'no longer there. Nothing in',
  ],
])('%s', async (message, title, words) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await drawOver(
    <PageBoundary place="/">
      <Broken message={message} />
    </PageBoundary>,
    {},
    {},
  );
  const said = document.querySelector('[role="alert"]')?.textContent;
  expect(document.querySelector('.page-title')?.textContent).toBe(title);
  expect(said).toContain(words);
  expect(said?.includes('assets')).toBe(false);
});
