import { expect, test } from 'vitest';
import { createCanaryWatch } from '../../../sandbox-engine/engine/canary-watch.ts';
import { canaryHost, judgeCanary, type SeenDestination } from '../../../sandbox-engine/gate/canary.ts';

const nonce = 'canary-1';
const keys = ['direct', 'metadata', 'gateway', 'mismatch', 'foreign', 'plain'];
const allSeen = (): SeenDestination[] => keys.map((key) => ({ host: canaryHost(nonce, key), verdict: 'blocked' }));
const said = (over: Record<string, string> = {}): string =>
  Object.entries({
    ...Object.fromEntries(keys.map((key) => [key, 'answer 403'])),
    ...{ UDP: 'ECONNREFUSED', IPv6: 'EADDRNOTAVAIL', 'other sockets': 'EPERM' },
    ...over,
  })
    .map((row) => row.join('\t'))
    .join('\n');
const notSealed = (output: string, seen: SeenDestination[]): string[] =>
  judgeCanary(nonce, output, seen)
    .filter(({ result }) => result !== 'sealed')
    .map(({ name, result }) => `${name} ${result}`);

test('what the host saw and refused, and what was refused inside, is sealed', () => {
  expect([judgeCanary(nonce, said(), allSeen()).length, notSealed(said(), allSeen())]).toEqual([9, []]);
});

test.each<[string, string, SeenDestination[], string[]]>([
  ['one that was allowed', said(), [...allSeen(), { host: canaryHost(nonce, 'metadata'), verdict: 'allowed' }], ['metadata service open']],
  ['an answer that the host knows nothing of', said(), allSeen().slice(1), ['direct address open']],
  ['one that ended nowhere', said({ direct: 'closed' }), allSeen().slice(1), ['direct address unproven']],
  [
    'what another run tried',
    said({ direct: 'closed' }),
    [...allSeen().slice(1), { host: 'canary-2-direct.invalid', verdict: 'blocked' }],
    ['direct address unproven'],
  ],
  ['a datagram that was sent', said({ UDP: 'sent' }), allSeen(), ['UDP open']],
  ['an IPv6 connection', said({ IPv6: 'connected' }), allSeen(), ['IPv6 open']],
  ['a socket of another family', said({ 'other sockets': 'open: VSOCK' }), allSeen(), ['other sockets open']],
  [
    'a program that printed nothing',
    '',
    [],
    [
      ...['direct address', 'metadata service', 'gateway', 'mismatched name', 'foreign name server', 'no proxy variables'],
      'UDP',
      'IPv6',
      'other sockets',
    ].map((name) => `${name} unproven`),
  ],
])('%s is not', (_, output, seen, expected) => {
  expect(notSealed(output, seen)).toEqual(expected);
});

test('attempts of a canary under way are held back, all others and later ones are not', () => {
  const watch = createCanaryWatch();
  const attempt = (host: string | null) => ({ host, verdict: 'blocked' }) as never;
  const own = canaryHost('canary-9', 'direct');
  const run = watch.begin('canary-9');
  const through = watch.sift([attempt('a.test'), attempt(own), attempt(null), attempt('canary-9-direct.invalid.evil.test')]);
  run.end();
  expect([through.map(({ host }) => host), run.seen, watch.sift([attempt(own)]).length]).toEqual([
    ['a.test', null, 'canary-9-direct.invalid.evil.test'],
    [{ host: own, verdict: 'blocked' }],
    1,
  ]);
});
