import { expect, test } from 'vitest';
import type { EgressTally } from '../../../sandbox-engine/contract/model.ts';
import { lastSeenIn } from '../../../sandbox-engine/egress/last-seen.ts';

const at = (second: number): string => `2026-11-29T10:00:0${second}.000Z`;

const tally = (host: string | null, port: number | null, verdict: EgressTally['verdict'], second: number): EgressTally => ({
  ...{ host, port, protocol: 'tls', verdict, reason: verdict === 'allowed' ? 'allowed' : 'name_mismatch', attempts: 1 },
  ...{ bytes_sent: 0, bytes_received: 0, first_at: at(0), last_at: at(second) },
});

const lastSeen = lastSeenIn([
  tally('a.example', 443, 'allowed', 1),
  tally('a.example', 443, 'allowed', 3),
  tally('a.example', 443, 'blocked', 2),
  tally('b.a.example', 443, 'blocked', 4),
  tally('a.example', 22, 'blocked', 5),
  tally('c.example', null, 'blocked', 6),
  tally(null, null, 'blocked', 7),
  tally('10.1.2.3', 5432, 'allowed', 8),
  tally('evila.example', 443, 'blocked', 9),
]);

test.each<[string, number[] | null, number | null, number | null]>([
  ['a.example', [443], 3, 2],
  ['a.example', [443, 22], 3, 5],
  ['a.example', [80], null, null],
  ['a.example', null, 3, 5],
  ['*.a.example', [443], null, 4],
  ['c.example', [443], null, 6],
  ['10.1.2.3', [5432], 8, null],
  ['*.example', null, 3, 9],
  ['d.example', null, null, null],
])('%s on %j was last allowed at second %s and blocked at %s', (host, ports, allowed, blocked) => {
  const time = (second: number | null) => (second === null ? null : at(second));
  expect(lastSeen({ host, ports })).toEqual({ last_allowed_at: time(allowed), last_blocked_at: time(blocked) });
});
