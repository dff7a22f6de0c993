// What is shown where a page throws.
import { lazy, Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { PageBoundary } from '../../../renderer/src/shell/PageBoundary.tsx';
import { Boundary } from '../../../renderer/src/ui/Boundary.tsx';
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

const Lost = lazy(async (): Promise<{ default: () => null }> => {
  throw new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1:1/assets/FilesPart.js');
});

test('a part that is not there any more says so in its place, and what is around it stays', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await drawOver(
    <PageBoundary place="/sessions/ses_1/files">
      <h1>one</h1>
      <Boundary place="files" noun="part">
        <Suspense>
          <Lost />
        </Suspense>
      </Boundary>
    </PageBoundary>,
    {},
    {},
  );
  const said = () => document.querySelector('[role="alert"]')?.textContent;
  await expect.poll(said).toContain('Sandlot was updated meanwhile');
  expect([said()?.includes('this part is no longer there'), document.querySelector('h1')?.textContent]).toEqual([true, 'one']);
});
