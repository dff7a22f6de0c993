// What a run's log says of its blocked attempts, and before which line.
import { expect, test } from 'vitest';
import type { EgressReason } from '../../../sandbox-engine/contract/model.ts';
import { createBlockedTeller } from '../../../sandbox-engine/setup/tell-blocked.ts';

const at = (line: number | null, host: string, port: number | null = 443, reason: EgressReason = 'no_rule') => ({
  line,
  host,
  port,
  reason,
});

test.each([
  [[at(7, 'a.example')], ['The network policy blocked a.example:443 at line 7.'], 1],
  [[at(null, 'a.example', null)], ['The network policy blocked a.example.'], 1],
  [
    [at(2, 'a.example', 80, 'special_address')],
    ['The network policy blocked a.example:80 at line 2: a reserved address, which no rule opens.'],
    1,
  ],
  // A destination that two lines tried is one destination.
  [
    [at(1, 'a.example'), at(2, 'a.example')],
    ['The network policy blocked a.example:443 at line 1.', 'The network policy blocked a.example:443 at line 2.'],
    1,
  ],
  [[], [], 0],
])('of %j it says %j at the end', async (blocked, rest, destinations) => {
  const teller = createBlockedTeller({ blockedInRun: async () => blocked }, 'run_1');
  expect(await teller.end()).toEqual({ rest, destinations });
});

test('what a line tried is said before the next one begins, once, and what comes late is said where it comes', async () => {
  let blocked = [at(null, 'early.example')];
  const teller = createBlockedTeller({ blockedInRun: async () => blocked }, 'run_1');
  const said: string[][] = [];
  const beginLine = async (line: number) => {
    await teller.look();
    said.push(teller.before(line).map((sentence) => sentence.split(' ').slice(4).join(' ')));
  };
  await beginLine(1);
  blocked = [...blocked, at(1, 'one.example'), at(2, 'two.example')];
  // Both began before anybody looked.
  await beginLine(2);
  await beginLine(3);
  blocked = [...blocked, at(1, 'late.example')];
  await beginLine(4);
  expect([...said, (await teller.end()).rest]).toEqual([
    ['early.example:443.'],
    ['one.example:443 at line 1.'],
    ['two.example:443 at line 2.'],
    ['late.example:443 at line 1.'],
    [],
  ]);
});

test('what cannot be read is left out, and looks that wait are one', async () => {
  let looks = 0;
  const teller = createBlockedTeller(
    {
      blockedInRun: async () => {
        looks += 1;
        throw new Error('the log is away');
      },
    },
    'run_1',
  );
  await Promise.all([teller.look(), teller.look(), teller.look()]);
  expect([looks, (await teller.end()).rest]).toEqual([1, []]);
});
