import { expect, test } from 'vitest';
import { addressOf, readListening } from '../../../sandbox-engine/session/listening-ports.ts';

const hex = (text: string): string => Buffer.from(text).toString('hex');
const same = (text: string): string => text;

test.each([
  ['00000000', '0.0.0.0'],
  ['0100007F', '127.0.0.1'],
  ['020011AC', '172.17.0.2'],
  ['00000000000000000000000000000000', '::'],
  ['00000000000000000000000001000000', '::1'],
  ['0000000000000000FFFF00000100007F', '127.0.0.1'],
  ['B80D0120000000000000000001000000', '2001:db8::1'],
  ['0000000', null],
  ['0100007G', null],
])('the address %s of /proc/net/tcp is %s', (given, wanted) => expect(addressOf(given)).toBe(wanted));

test('one port at two addresses is one row, and the ports of the relay are left out', () => {
  const line = `00000000:0BB8:1000:${hex('node')}:${hex('node server.js ')} 00000000000000000000000000000000:0BB8:1000:: 0D0D0D7F:3A99:61111::`;
  expect(readListening(line, 61_111, same)).toEqual([
    { port: 3000, addresses: ['0.0.0.0', '::'], process: 'node', command: 'node server.js' },
  ]);
});

test('what a sandbox says of its programs cannot steer a screen, is bounded and is masked', () => {
  const line = `0100007F:0050:0:${hex('\u001b[31mevil \u0007\u202e')}:${hex(`run --key hunter22 ${'x'.repeat(400)}`)}`;
  const [found] = readListening(line, 61_111, (text) => text.replace('hunter22', '***'));
  expect(found?.process).toBe('evil');
  expect(found?.command?.slice(0, 14)).toBe('run --key *** ');
  expect(found?.command?.length).toBeLessThanOrEqual(200);
});

test.each(['', 'nonsense', '::::', '0100007F:0000:0::', '0100007F:FFFFF:0::'])('the line %j has no port', (line) =>
  expect(readListening(line, 61_111, same)).toEqual([]),
);

test('no more than 500 ports are taken from one line', () => {
  const line = Array.from({ length: 2_000 }, (_, at) => `0100007F:${(at + 1).toString(16).toUpperCase().padStart(4, '0')}:0::`).join(' ');
  expect(readListening(line, 61_111, same)).toHaveLength(500);
});
