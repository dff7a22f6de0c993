import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { launchSteps } from '../../../renderer/src/session/SessionSide.tsx';
import { StepList } from '../../../renderer/src/ui/StepList.tsx';
import type { Session } from '../../../sandbox-engine/contract/model.ts';

const shown = (status: 'running' | 'succeeded'): string => {
  const step = { name: 'image', status, started_at: '2026-11-29T19:00:00.000Z', duration_ms: null, message: 'Unpacking git (2/9)' };
  return renderToStaticMarkup(<StepList steps={launchSteps({ steps: [step] } as unknown as Session)} label="Launch steps" />);
};

test('a launch step that takes its time shows its newest line while it runs, and not afterwards', () => {
  expect(shown('running')).toContain('Unpacking git (2/9)');
  expect(shown('succeeded')).not.toContain('Unpacking git (2/9)');
  expect(shown('succeeded')).toContain('image');
});
