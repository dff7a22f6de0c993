// Draws a piece of the window into a page of the test, and works it as a person would.
import { MantineProvider } from '@mantine/core';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

/** Draws it; it is gone after the test. */
export const draw = (piece: ReactNode): void => {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  act(() => root.render(<MantineProvider>{piece}</MantineProvider>));
  onTestFinished(() => {
    act(() => root.unmount());
    place.remove();
  });
};

const theOne = <T extends Element>(found: readonly T[], what: string): T => {
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`${found.length} times in the page: ${what}`);
  return first;
};

/** The field with this label. */
export const field = (label: string): HTMLInputElement => {
  const labels = [...document.querySelectorAll('label')].filter((one) => one.textContent === label);
  const named = [...document.querySelectorAll<HTMLInputElement>('input[aria-label]')].filter((one) => one.ariaLabel === label);
  const labelled = labels.flatMap((one) => document.querySelector<HTMLInputElement>(`input[id="${one.htmlFor}"]`) ?? []);
  return theOne([...labelled, ...named], `the field "${label}"`);
};

/** The button that says this. */
export const button = (label: string): HTMLButtonElement =>
  theOne(
    [...document.querySelectorAll('button')].filter((one) => one.textContent === label),
    `the button "${label}"`,
  );

/** Replaces what stands in a field. */
export const type = (input: HTMLInputElement, text: string): void => {
  // React hears only of values that were not set through its own setter.
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  act(() => {
    set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
};

/** Presses Return in the form around it, and waits for what comes of it. */
export const submit = async (input: HTMLElement): Promise<void> => {
  await act(async () => {
    input.closest('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });
};
