// The examples of docs/setup.md do what the page says, on each runtime.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkScript } from '../../sandbox-engine/setup/script.ts';
import { hintCodes } from './support/hint-codes.ts';
import { environmentWith, openSetupHouse, testRuntimes } from './support/setup-house.ts';

const page = readFileSync(new URL('../../docs/setup.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```bash([^\n]*)\n([\s\S]*?)```/g)].map(([, about, script]) => ({
  about: about ?? '',
  script: script ?? '',
}));

test('the good example raises no warning', () => {
  const good = examples.find(({ about }) => about === '');
  expect(checkScript(good?.script ?? '').warnings).toEqual([]);
});

test('the page names every kind of hint, and no other', () => {
  const table = /\| about \| kinds \|\n([\s\S]*?)\n\n/.exec(page)?.[1] ?? '';
  expect([...table.matchAll(/`(\w+)`/g)].map((found) => found[1]).sort()).toEqual(hintCodes());
});

describe.each(testRuntimes)('on $kind', ({ kind }) => {
  test('the failing example fails where the page says', async () => {
    const failing = examples.find(({ about }) => about.includes('failing'));
    const [line, code] = [/line=(\d+)/, /code=(\d+)/].map((pattern) => Number(pattern.exec(failing?.about ?? '')?.[1]));
    const house = await openSetupHouse();
    const run = await house.runToEnd(environmentWith(failing?.script ?? '', { runtime: kind }));
    await house.close();
    expect([run.status, run.failed_line, run.exit_code]).toEqual(['failed', line, code]);
  });
});
