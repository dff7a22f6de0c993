// Questions for names from inside real sandboxes: whatever is asked, by whatever way and of whatever server, the gate answers by the policy,
// and nobody out there is asked anything. Source: NETWORK.md 2, C.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressPattern, type Capture, canCapture, startCapture, textPattern } from '../runtime/support/capture.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';
import { type Asked, addressesOf, askInside, questionFor, rcodeOf } from './ask-inside.ts';
import { tls } from './corpus/row.ts';
import { connectInside, type InsideDriver, startInside } from './inside-sandbox.ts';
import { openWorldHouse, type WorldHouse, type WorldSandbox } from './world-house.ts';

const own = '198.18.0.53';
const refused = '198.18.0.2';
const servers = ['8.8.8.8', '1.1.1.1', '9.9.9.9'];

const label = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
const zero = Buffer.from([0]);
const raw = (labels: Buffer, { flags = 0x0100, count = 1, type = 1 } = {}): Buffer => {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(9, 0);
  head.writeUInt16BE(flags, 2);
  head.writeUInt16BE(count, 4);
  return Buffer.concat([head, labels, Buffer.from([0, type, 0, 1])]);
};
const allowedLabels = Buffer.concat([label('allowed'), label('test'), zero]);

const users: [string, string[]][] = [
  ['its user', []],
  ['root', ['sudo']],
];

describe.each(testRuntimes.flatMap((place) => users.map(([user, as]) => ({ ...place, user, as }))))('names on $kind as $user', (place) => {
  let house: WorldHouse;
  let one: WorldSandbox;
  let driver: InsideDriver;
  let capture: Capture | null = null;

  beforeAll(async () => {
    house = await openWorldHouse(place);
    one = await house.openWorldSandbox();
    driver = await startInside(house.runtime, one.containerId, place.as);
    const marks = [...servers, '224.0.0.251', '224.0.0.252'].map(addressPattern);
    if (canCapture) capture = await startCapture([...marks, textPattern('data-')]);
  }, 300_000);
  beforeEach(() => void house.world.questions.splice(0));
  afterAll(async () => {
    driver?.close();
    await capture?.stop();
    await house?.closeAll();
  });

  const run = (command: string[]) => house.run(one.containerId, [...place.as, ...command]);
  const ask = (asked: Asked[]) => askInside(run, asked);
  const udp = (message: Buffer, server = own, port = 53): Asked => ({ way: 'udp', server, port, message });
  const tcp = (message: Buffer, server = own, port = 53): Asked => ({ way: 'tcp', server, port, message });
  /** Names are served as before, and nothing was asked of anybody nor seen outside. */
  const isQuiet = async (): Promise<void> => {
    const [after] = await ask([udp(questionFor('allowed.test'))]);
    expect([after === undefined ? [] : addressesOf(after).length, house.world.questions, capture?.hits ?? []]).toEqual([1, [], []]);
  };
  const codes = async (messages: Buffer[]): Promise<(number | null)[]> => (await ask(messages.map((message) => udp(message)))).map(rcodeOf);

  test('C01: a blocked name has the one address of all refused names', async () => {
    const heard = await ask([udp(questionFor('blocked.test')), udp(questionFor('other.evil.test'))]);
    expect(heard.map(addressesOf)).toEqual([[refused], [refused]]);
    await isQuiet();
  });

  test('C02: five hundred names that carry data reach nobody, and are counted', async () => {
    const names = Array.from({ length: 500 }, (_, at) => udp(questionFor(`data-${at}.blocked.test`, ['A', 'TXT', 'NULL'][at % 3] ?? 'A')));
    expect((await ask(names)).map(({ why }) => why).filter((why) => why !== '')).toEqual([]);
    await house.world.attempted(
      one.sandboxId,
      (list) => list.reduce((sum, { host, count }) => sum + (host?.includes('data-') === false ? 0 : count), 0) >= 400,
    );
    await isQuiet();
  });

  test('C03: whichever server is asked on port 53, the gate answers; on another port nobody does', async () => {
    const [mine, ...others] = await ask([own, ...servers].map((server) => udp(questionFor('allowed.test'), server)));
    const blocked = await ask(servers.map((server) => udp(questionFor('blocked.test'), server)));
    expect(others.map(addressesOf)).toEqual(servers.map(() => (mine === undefined ? [] : addressesOf(mine))));
    expect(blocked.map(addressesOf)).toEqual(servers.map(() => [refused]));
    const [elsewhere] = await ask([udp(questionFor('allowed.test'), '9.9.9.9', 5353)]);
    expect([elsewhere?.answer, elsewhere?.why]).toEqual([null, 'ECONNREFUSED']);
    await isQuiet();
  });

  test('C04: DNS over TCP is answered the same, and what is no question is refused', async () => {
    const [straight] = await ask([tcp(questionFor('allowed.test'), '8.8.8.8')]);
    expect(straight === undefined ? [] : addressesOf(straight)).toHaveLength(1);
    const odd = [4, 5, 1].map((opcode) => raw(allowedLabels, { flags: opcode << 11 }));
    const transfers = [252, 251].map((type) => raw(allowedLabels, { type }));
    const heard = await ask([...odd, ...transfers].map((message) => tcp(message, '1.1.1.1')));
    expect(heard.map((each) => rcodeOf(each) === 0 && addressesOf(each).length > 0)).toEqual(heard.map(() => false));
    await isQuiet();
  });

  test('C05: DNS over QUIC is refused at once', async () => {
    const [heard] = await ask([udp(Buffer.alloc(1_200, 7), '1.1.1.1', 853)]);
    expect([heard?.answer, heard?.why]).toEqual([null, 'ECONNREFUSED']);
    expect(heard?.ms).toBeLessThan(500);
    await isQuiet();
  });

  test('C06, C08: other records of an allowed name are empty, and at once', async () => {
    const types = ['TXT', 'MX', 'SRV', 'ANY', 'CAA', 'AAAA'];
    const heard = await ask(types.map((type) => udp(questionFor('allowed.test', type))));
    expect(heard.map((each) => [rcodeOf(each), (each.answer?.[7] ?? 1) + (each.answer?.[6] ?? 1) * 256])).toEqual(types.map(() => [0, 0]));
    const fastest = Math.min(...heard.map(({ ms }) => ms));
    expect(fastest).toBeLessThan(50);
    await isQuiet();
  });

  test('C09: a question alone reaches nobody, a connection asks once', async () => {
    await ask(Array.from({ length: 20 }, (_, at) => udp(questionFor(`w${at}.allowed.test`))));
    await isQuiet();
    const connection = await connectInside(driver, { name: 'a.b.allowed.test', port: 443 });
    connection.send(tls('a.b.allowed.test'));
    expect(await connection.until((text) => text.includes('\n'))).toBe('tls:a.b.allowed.test\n');
    connection.end();
    expect(house.world.questions).toEqual(['a.b.allowed.test']);
  });

  test('C16, C17: malformed messages are refused or dropped, and the next question is answered', async () => {
    const malformed = [
      raw(Buffer.from([0xc0, 12])),
      raw(Buffer.concat([label('allowed'), label('test'), zero]), { count: 2 }),
      raw(Buffer.concat([label('allowed'), label('test'), zero]), { count: 65_535 }),
      raw(Buffer.concat([label('a\r\nb'), label('test'), zero])),
      raw(Buffer.concat([label('a"b'), label('test'), zero])),
      raw(Buffer.concat([label('a\x1bb'), label('test'), zero])),
      raw(Buffer.concat([label('evil.test\0'), label('allowed'), label('test'), zero])),
    ];
    expect(await codes(malformed)).toEqual(malformed.map(() => 1));
    const [long] = await ask([tcp(Buffer.alloc(65_535, 0xff))]);
    expect(long === undefined ? [] : addressesOf({ ...long, answer: null })).toEqual([]);
    await isQuiet();
  });

  test('C18: an address that was given before does not open what is denied now', async () => {
    const [heard] = await ask([udp(questionFor('allowed.test'))]);
    const [address = ''] = heard === undefined ? [] : addressesOf(heard);
    await house.world.setPolicy(one.sandboxId, { version: 'v1', rules: [] }, { revision: 8 });
    const connection = await connectInside(driver, { address, port: 443 });
    connection.send(tls('allowed.test'));
    expect(await connection.closed()).toMatch(/^\x15/);
    const attempts = await house.world.attempted(one.sandboxId, (list) => list.some(({ policy_revision }) => policy_revision === 8));
    expect(attempts.filter(({ policy_revision }) => policy_revision === 8)).toMatchObject([{ host: 'allowed.test', reason: 'no_rule' }]);
    await house.world.setPolicy(one.sandboxId, house.policy);
    await isQuiet();
  });

  test('C19: names that the hosts file turns round lead where the policy says', async () => {
    const [heard] = await ask([udp(questionFor('allowed.test'))]);
    const [address = ''] = heard === undefined ? [] : addressesOf(heard);
    const written = await house.run(one.containerId, [
      'bash',
      '-c',
      `exec 2>&1; printf '6.6.6.6 allowed.test\\n${address} blocked.test\\n' | sudo tee -a /etc/hosts >/dev/null; getent ahostsv4 allowed.test | head -n1 | cut -d' ' -f1`,
    ]);
    expect(written.text).toBe('6.6.6.6');
    const first = await connectInside(driver, { name: 'allowed.test', port: 443 });
    first.send(tls('allowed.test'));
    expect(await first.until((text) => text.includes('\n'))).toBe('tls:allowed.test\n');
    first.end();
    expect([house.world.questions, house.world.sinks.get('foreign')?.connections()]).toEqual([['allowed.test'], 0]);
    const second = await connectInside(driver, { name: 'blocked.test', port: 443 });
    second.send(tls('blocked.test'));
    await second.closed();
    const attempts = await house.world.attempted(one.sandboxId, (list) => list.some(({ reason }) => reason === 'name_mismatch'));
    expect(attempts.some(({ host, reason }) => host === 'blocked.test' && reason === 'name_mismatch')).toBe(true);
    await house.run(one.containerId, ['bash', '-c', "sudo sh -c 'grep -v test /etc/hosts >/tmp/h; cat /tmp/h >/etc/hosts'"]);
  });

  test('C20: another name server changes nothing, and the file that names it cannot be written', async () => {
    const said = await run([
      'bash',
      '-c',
      'echo nameserver 8.8.8.8 >/etc/resolv.conf; mount --bind /tmp/x /etc/resolv.conf; cat /etc/resolv.conf',
    ]);
    expect(said.text).toContain(`nameserver ${own}`);
    expect(said.text).not.toContain('nameserver 8.8.8.8');
    await isQuiet();
  });

  test('C23: neighbours are asked nothing', async () => {
    const messages = ['printer.local', '_http._tcp.local'].map((name) => questionFor(name));
    expect(await codes(messages)).toEqual([3, 3]);
    const out = await ask([udp(messages[0] ?? zero, '224.0.0.251', 5353), udp(messages[0] ?? zero, '224.0.0.252', 5355)]);
    expect(out.map(({ answer }) => answer)).toEqual([null, null]);
    await isQuiet();
  });

  // Last: it fills the pool.
  test('C15: beyond the limit of names none gets an address, and the older keep theirs', async () => {
    const [first] = await ask(['n0.allowed.test', 'allowed.test'].map((name) => udp(questionFor(name))));
    const heard = await ask(Array.from({ length: 5_000 }, (_, at) => udp(questionFor(`n${at}.allowed.test`))));
    expect(heard.filter((each) => rcodeOf(each) === 2).length).toBeGreaterThan(800);
    const [again] = await ask([udp(questionFor('n0.allowed.test'))]);
    expect(again === undefined ? [] : addressesOf(again)).toEqual(first === undefined ? ['none'] : addressesOf(first));
    await isQuiet();
  });
});
