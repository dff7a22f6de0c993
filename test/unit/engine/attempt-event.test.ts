import { expect, test } from 'vitest';
import type { KeptAttempt } from '../../../sandbox-engine/contract/model.ts';
import { attemptEvent } from '../../../sandbox-engine/engine/attempt-event.ts';

const attempt = (fields: Partial<KeptAttempt>): KeptAttempt => ({
  ...{ id: 'att_1', at: '2026-11-29T10:00:00.000Z', sandbox_id: 's', environment_id: 'env', session_id: 's', setup_run_id: null },
  ...{ host: 'a.example', port: 443, protocol: 'tls', mode: 'transparent', verdict: 'blocked', reason: 'no_rule', rule: null },
  ...{ detail: null, policy_revision: 1, bytes_sent: 0, bytes_received: 0, duration_ms: 1, count: 1, cause: null },
  ...fields,
});

test.each([
  [{}, 'Blocked a.example:443'],
  [{ verdict: 'allowed', reason: 'allowed', rule: 0, count: 3 }, 'Reached a.example:443 (3 times)'],
  [{ reason: 'resolve_failed', rule: 0 }, 'Could not reach a.example:443'],
  [{ host: null, port: null, reason: 'not_recognised', protocol: 'unknown' }, /^A connection was blocked: .{10,}[^.]$/],
] as const)('%j is told on a tape as %s', (fields, label) => {
  const said = attemptEvent(attempt(fields)).label;
  if (typeof label === 'string') expect(said).toBe(label);
  else expect(said).toMatch(label);
});

test('the terminal that made it is said where it is known', () => {
  expect(attemptEvent(attempt({ cause: { kind: 'terminal', terminal_id: 'trm_1' } })).terminal_id).toBe('trm_1');
  expect(attemptEvent(attempt({ cause: { kind: 'setup_line', line: 3 } }))).not.toHaveProperty('terminal_id');
});
