import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCalm } from '../../../sandbox-engine/session/calm.ts';

test('what can wait begins once nobody waits for a launch or a first command, for one after the other', async () => {
  const calm = createCalm();
  const told: { what: string; at: number }[] = [];
  const tell = (what: string) => () => void told.push({ what, at: performance.now() });
  const first = calm.first(() => delay(300)).then(tell('first'));
  await Promise.all([first, calm.wait().then(tell('later')), calm.wait().then(tell('later'))]);
  const [{ at = 0 } = {}, { at: second = 0 } = {}, { at: third = 0 } = {}] = told;
  expect({ order: told.map(({ what }) => what), isAMomentAfter: second - at > 100, areApart: third - second > 150 }).toEqual({
    ...{ order: ['first', 'later', 'later'], isAMomentAfter: true, areApart: true },
  });
});

test('work that fails is waited for no longer', async () => {
  const calm = createCalm();
  await expect(calm.first(() => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  await calm.wait();
});

test('what was begun is waited for until it has shown something, and answers before', async () => {
  const calm = createCalm();
  const told: string[] = [];
  const begun = await calm.first(
    async () => 'a shell',
    async (what) => {
      await delay(300);
      told.push(`${what} has shown its prompt`);
    },
  );
  told.push(`${begun} was begun`);
  await calm.wait();
  expect(told).toEqual(['a shell was begun', 'a shell has shown its prompt']);
});
