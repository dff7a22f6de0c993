// What a button shows as its work ends.
import { readFileSync } from 'node:fs';
import { Button } from '@mantine/core';
import { act, useState } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { draw } from './drawn.tsx';

const Worker = ({ onDrawn }: { onDrawn: (setBusy: (isBusy: boolean) => void) => void }) => {
  const [isBusy, setBusy] = useState(true);
  onDrawn(setBusy);
  return <Button loading={isBusy}>Look again</Button>;
};

test('what turns is not seen any more when the words stand in its place again', async () => {
  const sheet = document.head.appendChild(document.createElement('style'));
  sheet.textContent = readFileSync('renderer/src/ui/buttons.css', 'utf8');
  onTestFinished(() => sheet.remove());
  let setBusy = (_isBusy: boolean): void => undefined;
  draw(
    <Worker
      onDrawn={(set) => {
        setBusy = set;
      }}
    />,
  );
  const turning = () => {
    const loader = document.querySelector('.mantine-Button-loader');
    return loader === null ? 'gone' : getComputedStyle(loader).display;
  };
  expect(turning()).not.toMatch(/gone|none/);
  act(() => setBusy(false));
  expect(turning()).toMatch(/gone|none/);
});
