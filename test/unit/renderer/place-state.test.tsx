import { act } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { Link, Route, Router, Switch } from 'wouter';
import { NoSuchPage } from '../../../renderer/src/shell/NoSuchPage.tsx';
import { goTo, useHashPlace } from '../../../renderer/src/ui/hash-location.ts';
import { usePlaceState } from '../../../renderer/src/ui/use-place-state.ts';
import { draw } from './drawn.tsx';

beforeEach(() => {
  location.hash = '#/list';
});

const List = () => {
  const [search, setSearch] = usePlaceState<string>('search', '');
  const [view, setView] = usePlaceState<'rows' | 'cards'>('view', 'rows', { isStep: true, known: ['rows', 'cards'] });
  return (
    <div>
      <output>
        {search} {view}
      </output>
      <button
        type="button"
        onClick={() => {
          setSearch('a b&c');
          setView('cards');
        }}
      >
        narrow
      </button>
      <button type="button" onClick={() => setSearch('')}>
        all
      </button>
      <Link href="/elsewhere">elsewhere</Link>
    </div>
  );
};

const app = (
  <Router hook={useHashPlace}>
    <Switch>
      <Route path="/list" component={List} />
      <Route component={NoSuchPage} />
    </Switch>
  </Router>
);

const press = (text: string) =>
  act(() => [...document.querySelectorAll<HTMLElement>('button, a')].find((one) => one.textContent === text)?.click());
const said = () => document.querySelector('output')?.textContent;

test('what narrows a page is in its link, two changes at once too, and the usual is not', () => {
  draw(app);
  press('narrow');
  expect([location.hash, said()]).toEqual(['#/list?search=a+b%26c&view=cards', 'a b&c cards']);
  press('all');
  expect([location.hash, said()]).toEqual(['#/list?view=cards', ' cards']);
});

test('a link that says how a page is narrowed opens it so, and another page knows nothing of it', () => {
  location.hash = '#/list?search=web';
  draw(app);
  expect(said()).toBe('web rows');
  press('elsewhere');
  expect(location.hash).toBe('#/elsewhere');
});

test('a value that there is none of is as if the link did not have it', () => {
  location.hash = '#/list?view=tiles';
  draw(app);
  expect(said()).toBe(' rows');
});

test('a link that leads nowhere says so and shows the way back', () => {
  draw(app);
  act(() => goTo('/no/such?x=1'));
  expect(document.querySelector('h1')?.textContent).toBe('No such page');
  expect(document.body.textContent).toContain('/no/such');
  press('Home');
  expect(location.hash).toBe('#/');
});
