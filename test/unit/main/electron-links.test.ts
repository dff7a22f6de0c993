// How a link from outside, or a second start, reaches the window of the desktop app.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { gatherLinks, type LinkSource, routeOfLink } from '../../../main/electron/deep-link.ts';

const session = 'sandlot://sessions/ses_01k00000000000000000000000';
const sessionRoute = '/sessions/ses_01k00000000000000000000000';

describe('links that start the app or come later', () => {
  /** An app that can be told of links, and where it went. */
  const start = (words: string[]) => {
    const heard: Record<string, (...words: never[]) => void> = {};
    const app: LinkSource = { on: (event: string, hear: (...words: never[]) => void) => (heard[event] = hear) };
    const routes: string[] = [];
    const links = gatherLinks(app, words);
    const prevented: string[] = [];
    return {
      routes,
      prevented,
      link: (link: string) => heard['open-url']?.({ preventDefault: () => prevented.push(link) } as never, link as never),
      secondStart: (second: string[]) => heard['second-instance']?.({} as never, second as never),
      follow: () => links.follow((route) => routes.push(route)),
    };
  };

  test.each<[string, string[], string]>([
    ['no word is a link: the first page', ['sandlot', '.'], '/'],
    ['the link of the command line', ['sandlot', session], sessionRoute],
    ['a link that is none of ours: the first page', ['sandlot', 'sandlot://quit'], '/'],
  ])('%s', (_case, words, route) => {
    const app = start(words);
    app.follow();
    expect(app.routes).toEqual([route]);
  });

  test('a link that macOS tells before the app is ready is opened when it is', () => {
    const app = start(['sandlot']);
    app.link(session);
    app.follow();
    expect([app.routes, app.prevented]).toEqual([[sessionRoute], [session]]);
  });

  test('a second start while the first still opens gives its link; without one it changes nothing', () => {
    const app = start(['sandlot']);
    app.secondStart(['sandlot', session]);
    app.secondStart(['sandlot']);
    app.follow();
    expect(app.routes).toEqual([sessionRoute]);
  });

  test('a second start later shows the window as it is, or the page of its link', () => {
    const app = start([]);
    app.follow();
    app.secondStart(['sandlot']);
    app.secondStart(['sandlot', session]);
    app.link('sandlot://nothing');
    expect(app.routes).toEqual(['/', '/', sessionRoute, '/']);
  });
});

describe('every page of the app has a link', () => {
  const read = (file: string) => readFileSync(new URL(`../../../renderer/src/${file}`, import.meta.url), 'utf8');
  const found = (file: string, shape: RegExp) => [...read(file).matchAll(shape)].map((match) => match[1] ?? '');
  const ulid = '01k00000000000000000000000';

  test('pages', () => {
    const pages = new Set(found('App.tsx', /path="\/([a-z]+)/g));
    expect([pages.size > 8, [...pages].filter((page) => routeOfLink(`sandlot://${page}`) !== `/${page}`)]).toEqual([true, []]);
  });

  test.each([
    ['environments', `env_${ulid}`, 'environment/EnvironmentPage.tsx'],
    ['sessions', `ses_${ulid}`, 'session/session-parts.ts'],
  ])('tabs of %s', (page, id, file) => {
    const tabs = found(file, /^\s+\{? ?id: '([a-z]+)'/gm);
    expect([tabs.length > 4, tabs.filter((tab) => routeOfLink(`sandlot://${page}/${id}/${tab}`) !== `/${page}/${id}/${tab}`)]).toEqual([
      true,
      [],
    ]);
  });
});
