// What a setup run came to: that it passed although it was blocked somewhere, and what a failed one says to do.
import { act } from 'react';
import { expect, test } from 'vitest';
import { SetupReport } from '../../../renderer/src/environment/SetupReport.tsx';
import type { EnvironmentView, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { button } from './drawn.tsx';
import { drawOver } from './drawn-app.tsx';

const environment = {
  id: 'env_1',
  recipe_yaml: 'base: debian',
  name: 'web',
  revision: 1,
  network_policy: { version: 'v1', rules: [] },
} as unknown as EnvironmentView;
const run = {
  ...{ id: 'run_1', environment_id: 'env_1', status: 'succeeded', phase: 'cleanup', phases: [], script: 'a\nb', observed: false },
  ...{ exit_code: 0, failed_line: null, failed_command: null, stderr_tail: '', hint: null, hint_code: null, next_action: null },
  ...{ line_times: [], prepared_image_id: null, prepared_image_size: null, timeout_seconds: 60 },
} as unknown as SetupRun;

const ok = (value: unknown) => ({ ok: true, value });
const blocked = { host: 'b.example', port: 443, last_reason: 'no_rule', now: null };
const atLine = (line: number) => ({ id: `att_${line}`, host: 'b.example', port: 443, cause: { kind: 'setup_line', line } });
const text = () => document.body.textContent ?? '';

const report = async (fields: Partial<SetupRun>, destinations: object[] = []) => {
  const shown = { ...run, ...fields };
  const lines: number[] = [];
  const piece = <SetupReport run={shown} currentLine={null} onLine={(line) => lines.push(line)} onRaiseTimeout={() => undefined} />;
  const { asked } = await drawOver(
    piece,
    { environments: { env_1: environment } },
    {
      'egress.summary': () => ok({ destinations, allowed: 0, blocked: destinations.length, failed: 0, left_off: 0 }),
      'recipes.check': () => ok({ problems: [], parsed: { packages: { apt: ['jq'] } }, dockerfile: null }),
      'recipes.edit': () => ok({ recipe_yaml: 'base: debian\npackages: { apt: [jq, curl] }' }),
      'egress.log': () => ok({ attempts: destinations.length > 0 ? [atLine(7), atLine(3), atLine(7)] : [], next_after: null, older: 0 }),
    },
  );
  return { asked, lines };
};

test('a run that passed although a destination was blocked says so, and at which lines', async () => {
  await report({}, [blocked]);
  expect(text()).toContain('The script passed, but 1 destination was blocked.');
  expect(text()).toContain('b.example:443');
  const buttons = [...document.querySelectorAll('.run-blocked .setup-line-link')].map(({ textContent }) => textContent);
  expect(buttons).toEqual(['Line 3', 'Line 7']);
});

test.each<[string, Partial<SetupRun>]>([
  ['where nothing was blocked', {}],
  ['of an observed run', { observed: true }],
])('nothing is said %s', async (_, fields) => {
  await report(fields, fields.observed ? [blocked] : []);
  expect(text()).not.toContain('blocked');
});

test('a package that cannot be fetched is put into the recipe by a button, beside those that are there', async () => {
  const next_action = 'Add "curl" to the recipe\'s apt packages: this environment has no network to fetch it from.';
  const { asked } = await report({ status: 'failed', hint: 'No curl.', hint_code: 'command_not_found', next_action });
  expect(document.querySelector('.setup-command')).toBeNull();
  await act(async () => button('Add curl to the recipe').click());
  expect(asked.at(-1)?.input).toEqual({ recipe_yaml: 'base: debian', recipe: { packages: { apt: ['jq', 'curl'] } } });
  expect(text()).toContain('In the recipe');
});

test('what is code in a hint stands there as code', async () => {
  await report({ status: 'failed', hint: 'No lists.', next_action: 'Put `sudo apt-get update` before this line.' });
  expect(document.querySelector('.banner-next')?.innerHTML).toBe('Put <code class="mono">sudo apt-get update</code> before this line.');
});

test('the end of stderr says whose words they are', async () => {
  await report({ status: 'failed', failed_line: 2, failed_command: 'b', stderr_tail: 'b: not found' });
  expect(text()).toContain('What the failing line said');
});
