// The head of the Setup tab.
import { expect, test } from 'vitest';
import { SetupVerdict } from '../../../renderer/src/environment/SetupVerdict.tsx';
import type { SetupVerification } from '../../../sandbox-engine/contract/model.ts';
import { drawOver } from './drawn-app.tsx';

const verification = {
  ...{ label: 'Failed', status: 'failed', message: 'The setup script failed at line 4.', blocked: null, can_start_sessions: false },
  last_run: { hint: 'The network policy blocked example.com:443.', next_action: 'Add a rule.' },
} as unknown as SetupVerification;

const text = async (isReported: boolean) => {
  const nothing = () => undefined;
  const state = { isDirty: false, isFirstScript: false, isReported, isNext: true, isBusy: false, obstacle: null, isPrivileged: false };
  await drawOver(
    <SetupVerdict environmentId="env_1" verification={verification} {...state} onTest={nothing} onObserve={nothing} />,
    {},
    {},
  );
  return [...document.querySelectorAll('.setup-verdict-text')].at(-1)?.textContent?.trim();
};

test('the reason is left to the report of the run where that stands below', async () => {
  expect([await text(true), (await text(false))?.includes('blocked example.com')]).toEqual(['The setup script failed at line 4.', true]);
});
