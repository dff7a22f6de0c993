import type { Page } from 'playwright';

// Runs in the page. Scrolled to, each control must lie within the window and within every box that cuts off what sticks out; and nothing
// scrolls sideways but code, terminals and the way to a folder.
const look = `(() => {
  const width = document.documentElement.clientWidth;
  const found = document.documentElement.scrollWidth > width ? ['the page scrolls sideways: ' + document.documentElement.scrollWidth] : [];
  const nameOf = (element) => (element.getAttribute('aria-label') || element.textContent || element.tagName).trim().slice(0, 40);
  for (const element of document.querySelectorAll('button, a, input, select, textarea, [role=tab], [role=menuitem]')) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.skip-link, .visually-hidden, .xterm, .cm-editor')) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0) continue;
    let [left, right] = [0, width];
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
      const { overflowX, position } = getComputedStyle(up);
      if (overflowX === 'visible') continue;
      const outer = up.getBoundingClientRect();
      if (overflowX !== 'hidden') { left = right = NaN; break; }
      [left, right] = [Math.max(left, outer.left), Math.min(right, outer.right)];
    }
    const middle = box.left + Math.min(box.width, 24) / 2;
    if (middle < left || middle > right || box.right - right > box.width / 2) found.push(nameOf(element) + ' at ' + Math.round(box.left) + '–' + Math.round(box.right));
  }
  for (const box of document.querySelectorAll('body *')) {
    if (!/auto|scroll/.test(getComputedStyle(box).overflowX) || box.scrollWidth <= box.clientWidth + 1 || box.clientWidth === 0) continue;
    if (!box.closest('.code-field, .cm-editor, .xterm, .stream-view:not(.is-log), .term-tablist, .crumbs, .patch-view, pre')) found.push('scrolls sideways: ' + (box.getAttribute('aria-label') || box.className) + ' ' + box.scrollWidth);
  }
  return [...new Set(found)].slice(0, 6);
})()`;

/** A menu follows a window that has become narrow a moment later. */
const patienceMs = 2_000;

/** What cannot be reached in a window of this width without scrolling the page sideways: at 512 it is a small window at 200 %. */
export const outOfReach = async (page: Page, width: number): Promise<string[]> => {
  const before = page.viewportSize();
  await page.setViewportSize({ width, height: before?.height ?? 700 });
  const until = performance.now() + patienceMs;
  let found: string[];
  do found = (await page.evaluate(look)) as string[];
  while (found.length > 0 && performance.now() < until);
  if (before) await page.setViewportSize(before);
  return found;
};
