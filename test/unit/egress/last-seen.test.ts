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
  { ...tally('gone.test', 443, 'blocked', 4), reason: 'resolve_failed' },
  { ...tally('down.test', 443, 'blocked', 5), reason: 'upstream_failed' },
]);

test.each<[string, number[] | null, (number | null)[]]>([
  ['a.example', [443], [3, 2]],
  ['a.example', [443, 22], [3, 5]],
  ['a.example', [80], []],
  ['a.example', null, [3, 5]],
  ['*.a.example', [443], [null, 4]],
  ['c.example', [443], [null, 6]],
  ['10.1.2.3', [5432], [8]],
  ['*.example', null, [3, 9]],
  ['d.example', null, []],
  // Nobody blocked these.
  ['gone.test', [443], [null, null, 4]],
  ['down.test', [443], [null, null, null, 5]],
])('%s on %j was last allowed, blocked, not found and not reached at these seconds: %j', (host, ports, seconds) => {
  const [allowed, blocked, lost, down] = [0, 1, 2, 3].map((index) => (seconds[index] == null ? null : at(seconds[index])));
  expect(lastSeen({ host, ports })).toEqual({
    ...{ last_allowed_at: allowed, last_blocked_at: blocked },
    ...{ last_not_found_at: lost, last_not_reached_at: down },
  });
});
