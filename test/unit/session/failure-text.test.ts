import { expect, test } from 'vitest';
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';
import { failureText } from '../../../sandbox-engine/session/failure-text.ts';

const digest = `d2f7db7cfb5c${'0'.repeat(52)}`;

test.each([
  [
    `Could not create container sandlot-ses_01: the image sha256:${digest} is not there.`,
    'The sandbox was not made: the image d2f7db7cfb5c is not there.',
  ],
  ['Could not create container sandlot-gate-ses_01: the disk is full.', 'The network gate was not made: the disk is full.'],
  ['Could not create container sandlot-other: no such device', 'Could not create container sandlot-other: no such device'],
  ['app was not cloned: 403', 'app was not cloned: 403'],
])('%s', (message, said) => {
  expect(failureText(new SandlotError('runtime_error', message))).toBe(said);
});

test('what to do stands in a line below', () => {
  const thrown = new SandlotError('disk_full', 'Could not create container sandlot-ses_01: full.', { nextAction: 'Free space.' });
  expect(failureText(thrown)).toBe('The sandbox was not made: full.\nFree space.');
});
