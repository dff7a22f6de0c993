// What the page of a refused or failed request says about who decided.
import { expect, test } from 'vitest';
import type { EgressReason } from '../../../sandbox-engine/contract/model.ts';
import { writeDenial } from '../../../sandbox-engine/egress/denial.ts';

const decidedBy = (reason: EgressReason, rule: number | null): string | undefined => {
  const explanation = {
    ...{ destination: 'a.test:443', host: 'a.test', port: 443, verdict: 'blocked' as const, reason, rule, how_to_allow: null },
    ...{ insert_at: null, sentence: 'It did not work.' },
  };
  const page = writeDenial({ status: 502, reason, detail: null, explanation, keepAlive: false, withBody: true }).toString();
  return /^Decided by: (.*)$/m.exec(page)?.[1];
};

test.each([
  ['what no rule allows', 'no_rule', null, 'no rule'],
  ['what a rule denies', 'denied_by_rule', 0, 'rule 1'],
  ['what a rule allows and nobody answers for', 'upstream_failed', 2, 'rule 3'],
  ['what a grant allows and nobody answers for', 'upstream_failed', null, undefined],
  ['what a grant allows and has no address', 'resolve_failed', null, undefined],
] as const)('%s', (_what, reason, rule, said) => {
  expect(decidedBy(reason, rule)).toBe(said);
});
