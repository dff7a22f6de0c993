// Which parts of a newer configuration a running sandbox can be given.
import { expect, test } from 'vitest';
import { needsAnother } from '../../../sandbox-engine/engine/live-sessions.ts';

test.each([
  ['network rules', 'gate', false],
  ['network rules', 'none', true],
  ['secrets', 'none', false],
  ['files', 'gate', false],
  // They need a mount.
  ['secret files', 'gate', true],
  ['image', 'unrestricted', true],
] as const)('%s of a session with network %s need another sandbox: %s', (part, network, isNeeded) => {
  expect(needsAnother({ network }, part)).toBe(isNeeded);
});
