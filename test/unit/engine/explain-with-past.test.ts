import { expect, test } from 'vitest';
import type { NetworkPolicy } from '../../../sandbox-engine/contract/model.ts';
import { compilePolicy } from '../../../sandbox-engine/egress/policy.ts';
import { explainWithPast } from '../../../sandbox-engine/engine/explain-with-past.ts';
import { environmentId, openDesk, refused } from './egress-house.ts';

const policy: NetworkPolicy = { version: 'v1', rules: [{ action: 'allow', hosts: ['*.open.example'] }] };
const rule = (host: string, extra: object = {}) => ({ action: 'allow', hosts: [host], ports: [443], ...extra });

test.each([
  ['led.example', 'special_address', /reserved address.* So it was when it was last tried\.$/, null],
  ['led.open.example', 'special_address', /reserved address/, null],
  ['lan.example', 'private_address', /private address/, rule('lan.example', { allow_private: true })],
  ['down.example', 'no_rule', /no rule names this host\.$/, rule('down.example')],
  ['down.open.example', 'allowed', /^down\.open\.example:443 is allowed by rule 1/, null],
  ['x-led.example', 'no_rule', /no rule names/, rule('x-led.example')],
])('where a name led when it was tried is known, and whether it was up is not: %s is %s', async (asked, reason, sentence, how_to_allow) => {
  const { take, registry } = await openDesk(policy);
  await take(
    refused('led.example', { reason: 'special_address' }),
    refused('led.open.example', { reason: 'special_address' }),
    refused('lan.example', { reason: 'private_address' }),
    refused('down.example', { reason: 'upstream_failed' }),
    refused('down.open.example', { reason: 'resolve_failed' }),
  );
  const said = await explainWithPast(registry, environmentId, { compiled: compilePolicy(policy, {}), asked });
  expect(said).toMatchObject({ reason, how_to_allow, sentence: expect.stringMatching(sentence) });
});
