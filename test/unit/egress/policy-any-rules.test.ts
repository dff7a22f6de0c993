// Deciding, for any rules: compared with reading the rules one by one, and with what must never happen. Source: NETWORK.md 1.2.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NetworkRule } from '../../../sandbox-engine/contract/model.ts';
import { compilePolicy, decide } from '../../../sandbox-engine/egress/policy.ts';

describe('for any rules', () => {
  const labels = ['a', 'b', 'x', 'secret'];
  const name = fc.array(fc.constantFrom(...labels), { minLength: 0, maxLength: 3 }).map((parts) => [...parts, 'test', 'io'].join('.'));
  const host = fc.oneof(
    name,
    name.map((one) => `*.${one}`),
    fc.constantFrom('20.0.0.9', '20.0.0.10'),
  );
  const ports = fc.uniqueArray(fc.constantFrom(22, 80, 443, 8443), { minLength: 1, maxLength: 3 });
  const rule: fc.Arbitrary<NetworkRule> = fc
    .record({
      action: fc.constantFrom('allow' as const, 'deny' as const),
      hosts: fc.array(host, { minLength: 1, maxLength: 4 }),
      ports: fc.option(ports, { nil: undefined }),
    })
    .map(({ action, hosts, ports: given }) => ({ action, hosts, ...(given === undefined ? {} : { ports: given }) }));
  const rules = fc.array(rule, { maxLength: 6 });
  const asked = fc.record({ host: fc.oneof(name, fc.constantFrom('20.0.0.9', '20.0.0.10')), port: fc.constantFrom(22, 80, 443, 8443) });

  // The rule as it is read aloud: labels from the end, one or more before the suffix.
  const names = (pattern: string, wanted: string): boolean => {
    if (!pattern.startsWith('*.')) return pattern === wanted;
    const suffix = pattern.split('.').slice(1).reverse();
    const own = wanted.split('.').reverse();
    return !/^\d/.test(wanted) && own.length > suffix.length && suffix.every((label, index) => label === own[index]);
  };
  const matches = (one: NetworkRule, to: { host: string; port: number }): boolean => {
    const given = one.ports ?? (one.action === 'allow' ? [443, 80] : [to.port]);
    return given.includes(to.port) && (one.hosts ?? []).some((pattern) => names(pattern, to.host));
  };
  const decideIn = (list: NetworkRule[], to: { host: string; port: number }) =>
    decide(compilePolicy({ version: 'v1', rules: list }, {}), to);

  test('the decision is that of reading the rules one by one', () => {
    fc.assert(
      fc.property(rules, asked, (list, to) => {
        const index = list.findIndex((one) => matches(one, to));
        const { verdict, rule: decided } = decideIn(list, to);
        expect(decided).toBe(index < 0 ? null : index);
        expect(verdict).toBe(list[index]?.action === 'allow' ? 'allowed' : 'blocked');
      }),
      { numRuns: 3000 },
    );
  });

  test('nothing is allowed that no allow rule names', () => {
    fc.assert(
      fc.property(rules, asked, (list, to) => {
        const isNamed = list.some((one) => one.action === 'allow' && matches(one, to));
        if (!isNamed) expect(decideIn(list, to).verdict).toBe('blocked');
      }),
      { numRuns: 2000 },
    );
  });

  test('a deny rule in front opens nothing, and an allow rule behind closes nothing', () => {
    fc.assert(
      fc.property(rules, rule, asked, (list, extra, to) => {
        const before = decideIn(list, to).verdict;
        if (before === 'blocked') expect(decideIn([{ ...extra, action: 'deny' }, ...list], to).verdict).toBe('blocked');
        if (before === 'allowed') expect(decideIn([...list, { ...extra, action: 'allow' }], to).verdict).toBe('allowed');
      }),
      { numRuns: 2000 },
    );
  });

  test('a host and its upper-case or dotted spelling are never decided differently in favour of the spelling', () => {
    fc.assert(
      fc.property(rules, asked, (list, { host: wanted, port }) => {
        for (const spelling of [wanted.toUpperCase(), `${wanted}.`, `${wanted}..`, `.${wanted}`]) {
          if (spelling !== wanted) expect(decideIn(list, { host: spelling, port }).verdict).toBe('blocked');
        }
      }),
    );
  });
});
