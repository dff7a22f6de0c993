// The keyboard as somebody without a mouse uses it.
import type { Page } from 'playwright';

// Runs in the page: what the focus is on, as it is read.
const read = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return '';
  const label = one.getAttribute('aria-label') ?? (one.labels?.[0]?.textContent || one.textContent);
  return (label ?? '').trim();
})()`;

/** Moves by Tab, or back by Shift+Tab, and says where it is. */
export const keys = (page: Page) => {
  const press = async (key: string, words: string, most: number): Promise<void> => {
    const passed: string[] = [];
    for (let pressed = 0; pressed < most; pressed += 1) {
      await page.keyboard.press(key);
      const here = (await page.evaluate(read)) as string;
      if (here.startsWith(words)) return;
      passed.push(here.slice(0, 24));
    }
    throw new Error(`${key} never came to “${words}”, but to: ${passed.join(' | ')}`);
  };
  return {
    /** Presses Tab until the focus is on what begins with these words; it must come within `most` presses. */
    tabTo: (words: string, most = 40): Promise<void> => press('Tab', words, most),
    backTo: (words: string, most = 20): Promise<void> => press('Shift+Tab', words, most),
  };
};
