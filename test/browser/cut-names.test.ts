// What does not fit is cut where it is no loss: a name loses its end whichever way it is written, the rest is in its title, and the tab
// that is shown is in sight. In real windows, because only they lay text out.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsOf } from './host-call.ts';
import { type OpenApp, openApp } from './open-app.ts';
import { shell } from './pages/shell.ts';

const names = {
  hebrew: 'סביבה עם שם ארוך מאוד שאין לו מקום בשום רשימה ולכן סופו נחתך ולא תחילתו',
  arabic: 'بيئة ذات اسم طويل جدا لا يتسع له المكان في أي قائمة ولذلك تقطع نهايته لا بدايته',
  latin: 'An environment with a name that is so long that no list has the room for all of it',
  short: 'שם קצר',
};

let app: OpenApp;
const ids = new Map<string, string>();

beforeAll(async () => {
  app = await openApp();
  const call = callsOf(app);
  for (const [key, name] of Object.entries(names)) ids.set(key, (await call('environments.create', { body: { name } })).id);
}, 120_000);
afterAll(() => app.close());

const linkOf = (key: string) => app.page.locator(`#main a.row-name[href="#/environments/${ids.get(key)}"]`);

/** Whether the first and the last letter lie within the box of their link, and how far its text is from the left edge. */
const seen = async (key: string) =>
  await linkOf(key).evaluate((link) => {
    const text = link.firstChild as Text;
    const box = link.getBoundingClientRect();
    const rectOf = (from: number) => {
      const range = document.createRange();
      range.setStart(text, from);
      range.setEnd(text, from + 1);
      return range.getBoundingClientRect();
    };
    const isIn = (rect: DOMRect) => rect.left >= box.left - 1 && rect.right <= box.right + 1;
    const [first, last] = [rectOf(0), rectOf(text.length - 1)];
    return { first: isIn(first), last: isIn(last), isLeft: Math.min(first.left, last.left) - box.left < 2 };
  });

test('a name that does not fit loses its end, whichever way it is written, and one that fits stands at the left', async () => {
  await app.page.setViewportSize({ width: 1024, height: 700 });
  await shell(app.page).go('/environments');
  await linkOf('short').waitFor();
  expect(await seen('hebrew')).toMatchObject({ first: true, last: false });
  expect(await seen('arabic')).toMatchObject({ first: true, last: false });
  expect(await seen('latin')).toEqual({ first: true, last: false, isLeft: true });
  expect(await seen('short')).toEqual({ first: true, last: true, isLeft: true });
});

test('where the mouse rests on a name that is cut, its title has all of it; the row still leads to its page', async () => {
  const { page } = app;
  await page.setViewportSize({ width: 1024, height: 700 });
  await shell(page).go('/environments');
  await linkOf('latin').hover();
  await expect.poll(() => linkOf('latin').getAttribute('title')).toContain(names.latin);
  await linkOf('short').hover();
  await linkOf('latin').hover();
  // The link lies over its whole row.
  const row = await page.locator(`[role="row"]:has(a[href="#/environments/${ids.get('latin')}"])`).boundingBox();
  await page.mouse.click((row?.x ?? 0) + (row?.width ?? 0) / 2, (row?.y ?? 0) + 4);
  await page.getByRole('heading', { level: 1, name: names.latin }).waitFor();
  await shell(page).go('/environments');
  await linkOf('short').hover();
  expect(await linkOf('short').getAttribute('title')).toBeNull();
});

test('in a small window at 200 % the tab that is shown is in sight, and what can be pressed in the navigation keeps its height', async () => {
  const { page } = app;
  await page.setViewportSize({ width: 512, height: 350 });
  await shell(page).go(`/environments/${ids.get('latin')}/variables`);
  const tab = page.getByRole('navigation', { name: 'Parts of this environment' }).locator('[aria-current="page"]');
  const places: [string, boolean][] = [];
  for (const part of ['knowledge', 'overview', 'variables']) {
    await shell(page).go(`/environments/${ids.get('latin')}${part === 'overview' ? '' : `/${part}`}`);
    await tab.and(page.getByText(new RegExp(`^${part}`, 'i'))).waitFor();
    places.push([
      part,
      await tab.evaluate((one) => one.getBoundingClientRect().right <= innerWidth && one.getBoundingClientRect().left >= 52),
    ]);
  }
  expect(places).toEqual([
    ['knowledge', true],
    ['overview', true],
    ['variables', true],
  ]);
  const heights = await shell(page)
    .navigation()
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
});

test.each([1024, 1280, 1440, 1600, 1920])(
  'at %i pixels a card of the home page holds its button, however much its state says',
  async (width) => {
    const { page } = app;
    await page.setViewportSize({ width, height: 800 });
    await shell(page).go('/');
    await page.locator('.home-card').first().waitFor();
    const stickingOut = await page.locator('.home-card').evaluateAll((cards) =>
      cards.filter((card) => {
        for (const label of card.querySelectorAll('.status')) label.append(' and a dozen of blocked destinations');
        const edge = card.getBoundingClientRect().right;
        return [...card.querySelectorAll('button')].some((button) => button.getBoundingClientRect().right > edge);
      }),
    );
    expect(stickingOut.length).toBe(0);
  },
);
