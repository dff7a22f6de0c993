import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { toShown } from '../../../renderer/src/environment/BuildDetail.tsx';
import { launchSteps } from '../../../renderer/src/session/SessionSide.tsx';
import { StepList } from '../../../renderer/src/ui/StepList.tsx';
import type { Build, Session } from '../../../sandbox-engine/contract/model.ts';

const shown = (status: 'running' | 'succeeded', name = 'image'): string => {
  const step = { name, status, started_at: '2026-11-29T19:00:00.000Z', duration_ms: null, message: 'Unpacking git (2/9)' };
  return renderToStaticMarkup(<StepList steps={launchSteps({ steps: [step] } as unknown as Session)} label="Launch steps" />);
};

test('a launch step that takes its time shows its newest line while it runs, and not afterwards', () => {
  expect(shown('running')).toContain('Unpacking git (2/9)');
  expect(shown('succeeded')).not.toContain('Unpacking git (2/9)');
  expect(shown('succeeded')).toContain('Find the image');
});

test.each([
  ['create', 'Make the sandbox'],
  ['MCP servers', 'MCP servers'],
])('the step %s is called %s', (name, words) => expect(shown('succeeded', name)).toContain(`>${words}<`));

test.each([
  [null, 'not reached'],
  ['2026-11-29T19:00:00.000Z', 'cancelled'],
])('a build step that began at %s and did not end is said to be %s', (started_at, word) => {
  const step = { index: 0, name: 'Install', status: 'cancelled', started_at, duration_ms: null } as const;
  const drawn = renderToStaticMarkup(<StepList steps={toShown({ steps: [step] } as unknown as Build)} label="Build steps" />);
  expect(drawn.replace(/<[^>]+>/g, ' ')).toMatch(new RegExp(`${word}\\s+Install\\s+${word}`));
});
