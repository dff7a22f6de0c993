import { expect, test } from 'vitest';
import { explainAttempt } from '../../../sandbox-engine/egress/explain.ts';
import { compilePolicy } from '../../../sandbox-engine/egress/policy.ts';

test.each<[Parameters<typeof explainAttempt>[1], string]>([
  [
    { host: 'a.example', port: 443, verdict: 'blocked', reason: 'resolve_failed', rule: 1 },
    'a.example:443 was not found: the name could not be looked up. Rule 2 allows it.',
  ],
  [
    { host: 'a.example', port: 443, verdict: 'blocked', reason: 'upstream_failed', rule: null },
    'a.example:443 could not be reached. The policy did not stand in its way.',
  ],
  [{ host: 'a.example', port: 443, verdict: 'allowed', reason: 'allowed', rule: 1 }, 'a.example:443 was allowed by rule 2.'],
  [{ host: 'a.example', port: 443, verdict: 'blocked', reason: 'denied_by_rule', rule: 2 }, 'a.example:443 was blocked: rule 3 denies it.'],
  [
    { host: 'a.example', port: 22, verdict: 'blocked', reason: 'port_not_allowed', rule: null },
    'a.example:22 was blocked: no rule allows this port of it.',
  ],
  [
    { host: null, port: null, verdict: 'blocked', reason: 'no_sni', rule: null },
    'A connection was blocked: the TLS connection does not say which host it is for.',
  ],
  [{ host: 'a.example', port: null, verdict: 'blocked', reason: 'no_rule', rule: null }, 'a.example was blocked: no rule names this host.'],
])('an attempt is told as it was then, also under a policy that was changed since: %#', (attempt, sentence) => {
  expect(explainAttempt(compilePolicy({ version: 'v1', rules: [] }, {}), attempt)).toBe(sentence);
});
