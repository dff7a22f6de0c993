import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../sandbox-engine/stream/redact.ts';

const redactorFor = (...values: string[]) => createRedactor(values.map((value, index) => ({ name: `S${index}`, value })));

/** The text in the given pieces, through one stream. */
const through = (values: string[], pieces: string[]): string => {
  const stream = redactorFor(...values).openStream();
  return Buffer.concat([...pieces.map((piece) => stream.push(Buffer.from(piece))), stream.flush()]).toString('utf8');
};

describe('C-01: a secret in pieces', () => {
  const secret = 'tok_4f9a2c7d1e';
  test.each(Array.from({ length: secret.length - 1 }, (_, index) => index + 1))('cut after %i characters it does not show', (at) => {
    expect(through([secret], [`a ${secret.slice(0, at)}`, `${secret.slice(at)} b\n`])).toBe('a *** b\n');
  });
  test('one byte at a time it does not show', () => {
    expect(through([secret], [...`x${secret}y`])).toBe('x***y');
  });
  test('its harmless half is released as soon as the next byte tells', () => {
    const stream = redactorFor(secret).openStream();
    expect(stream.push(Buffer.from('tok_4f9a')).toString()).toBe('');
    expect(stream.push(Buffer.from('\n')).toString()).toBe('tok_4f9a\n');
  });
  test.each([
    [['abcd1234', 'abcd1234-prod'], ['abcd1234-prod'], '***'],
    [['abcd1234', 'abcd1234-prod'], ['abcd1234', '-prod'], '***'],
    [['abcd1234', 'd1234xyz'], ['abcd1234xyz'], '***'],
    [['abcd1234', 'd1234xyz'], ['abcd1234', 'xyz'], '***'],
  ])('of %j in %j no tail is left', (values, pieces, expected) => {
    expect(through(values, pieces)).toBe(expected);
  });
});

describe('a secret whose beginning was shown because nothing followed for a while', () => {
  const secret = 'tok_4f9a2c7d1e';
  test.each([
    [['tok_4f9a'], ['2c7d1e\n'], 'tok_4f9a***\n'],
    [['tok', '_4f9a'], ['2c7d', '1e tok_'], 'tok_4f9a*** tok_'],
    [['tok_4f9a'], ['2c7d1f\n'], 'tok_4f9a2c7d1f\n'],
    [['t'], [secret.slice(1), secret], 't******'],
  ])('after %j and a pause, %j adds only its mask', (before, after, expected) => {
    const stream = redactorFor(secret).openStream();
    const out = before.map((piece) => stream.push(Buffer.from(piece)));
    out.push(stream.release());
    expect(stream.held()).toBe(0);
    out.push(...after.map((piece) => stream.push(Buffer.from(piece))), stream.flush());
    expect(Buffer.concat(out).toString()).toBe(expected);
  });
  test('a shorter secret that was shown as a mask is not shown when it turns out to be the longer one', () => {
    const stream = redactorFor('abcd1234', 'abcd1234-prod').openStream();
    const out = [stream.push(Buffer.from('abcd1234')), stream.release(), stream.push(Buffer.from('-prod.')), stream.flush()];
    expect(Buffer.concat(out).toString()).toBe('******.');
  });
});

describe('values that come and go while a stream is open', () => {
  test('a new value is masked from the next byte on, the end of what came before included', () => {
    const redactor = redactorFor();
    const stream = redactor.openStream();
    expect([redactor.isMasking(), stream.push(Buffer.from('abcd1234 ')).toString()]).toEqual([false, 'abcd1234 ']);
    redactor.set([{ name: 'A', value: 'abcd1234' }]);
    expect(stream.push(Buffer.from('abcd1234 abcd')).toString()).toBe('*** ');
    redactor.set([]);
    expect([stream.push(Buffer.from('1234')).toString(), stream.held()]).toEqual(['abcd1234', 0]);
  });
});

describe('C-02: a secret in other clothes', () => {
  const secret = 's3cr3t/+Value==';
  test.each([
    ['raw', secret],
    ['base64', 'czNjcjN0LytWYWx1ZT09'],
    ['base64 with a newline', 'czNjcjN0LytWYWx1ZT09Cg=='],
    ['base64 behind a user', 'dXNlcjpzM2NyM3QvK1ZhbHVlPT0='],
    ['hex', Buffer.from(secret).toString('hex')],
    ['URL escapes', 's3cr3t%2F%2BValue%3D%3D'],
    ['JSON', `{"p":"${secret}"}`],
    ['a URL', `https://user:${encodeURIComponent(secret)}@host`],
  ])('%s is masked', (_, text) => {
    const masked = redactorFor(secret).redactText(text);
    expect(masked).toContain('***');
    for (const part of ['s3cr3t', 'czNjcjN0', 'M2NyM3QvK1ZhbHVl', 'Value', '733363723374']) expect(masked).not.toContain(part);
  });
  test.each([
    ['export -p', 'a"b$c`d\\e', 'declare -x S="a\\"b\\$c\\`d\\\\e"'],
    ['set -x', "it's a secret", "+ echo 'it'\\''s a secret'"],
    ['printf %q', 'two words; $more', 'S=two\\ words\\;\\ \\$more'],
    ['declare -p', "it's one\nand two", "declare -- S=$'it\\'s one\\nand two'"],
    ['JSON in ASCII', 'päss-🚀-word', '"p\\u00e4ss-\\ud83d\\ude80-word"'],
    ['bytes of Python', 'päss-word', "b'p\\xc3\\xa4ss-word'"],
    ['HTML', 'a&b<c>d"e', 'value="a&amp;b&lt;c&gt;d&quot;e"'],
    ['the end of line of a terminal', 'first line\nsecond line', 'first line\r\nsecond line'],
  ])('%s shows nothing of it', (_, value, text) => {
    const masked = redactorFor(value).redactText(text);
    expect([masked.includes('***'), masked.includes(value.slice(0, 5))]).toEqual([true, false]);
  });
  test.each([76, 64])('base64 in lines of %i characters is masked line by line', (width) => {
    const value = 'a long key of many words, which no line can hold, and which goes on for another line';
    const lines =
      Buffer.from(value)
        .toString('base64')
        .replace(/=+$/, '')
        .match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
    expect(redactorFor(value).redactText(lines.join('\n'))).toBe('***\n***');
  });
  test('a part of it that is an ordinary word stays', () => {
    expect(redactorFor(secret).redactText('Value')).toBe('Value');
  });
  test('a secret made of expression characters masks only itself', () => {
    expect(redactorFor('.*[(').redactText('abcd .*[( efgh')).toBe('abcd *** efgh');
  });
  test('a value of three characters is not masked, one of four is', () => {
    expect(redactorFor('abc', 'abcd').redactText('abc abcd')).toBe('abc ***');
  });
  test('bytes that are no text pass through unchanged', () => {
    const bytes = Buffer.from([0, 0xff, 0xfe, 0xc3, 0xa9, 10]);
    expect(redactorFor('tok_4f9a2c7d1e').openStream().push(bytes)).toEqual(bytes);
  });
});
