import { expect, test } from 'vitest';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { sessionImage } from '../../../sandbox-engine/engine/resolve-image.ts';

const view = (active: string | null, verification: object) =>
  ({
    ...{ id: 'env_1', name: 'web', active_setup_run_id: active },
    setup_verification: { can_start_sessions: false, message: 'Not yet.', stale_fields: [], stale: false, last_run: null, ...verification },
  }) as unknown as EnvironmentView;

test.each([
  ['never tested', view(null, { status: 'never' }), 'Run the setup script: sandlot setup run env_1 --wait'],
  ['being tested', view('run_2', { status: 'failed' }), 'Wait for setup run run_2: sandlot setup logs run_2 --follow'],
  [
    'failed, and unchanged since',
    view(null, { status: 'failed', last_run: { id: 'run_1' } }),
    'Read why: sandlot setup logs run_1. Mend the script, then run it: sandlot setup run env_1 --wait',
  ],
  [
    'failed, and changed since',
    view(null, { status: 'failed', stale: true, last_run: { id: 'run_1' } }),
    'Run the setup script: sandlot setup run env_1 --wait',
  ],
])('an environment that is %s starts no session, and says the way', (_name, environment, nextAction) => {
  expect(() => sessionImage(environment)).toThrow(expect.objectContaining({ code: 'environment_not_verified', nextAction }));
});
