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

describe('C-02: a secret in other clothes', () => {
  const secret = 's3cr3t/+Value==';
  test.each([
    ['raw', secret],
    ['base64', 'czNjcjN0LytWYWx1ZT09'],
    ['base64 with a newline', 'czNjcjN0LytWYWx1ZT09Cg=='],
    ['base64 behind a user', 'dXNlcjpzM2NyM3QvK1ZhbHVlPT0='],
    ['URL escapes', 's3cr3t%2F%2BValue%3D%3D'],
    ['JSON', `{"p":"${secret}"}`],
    ['a URL', `https://user:${encodeURIComponent(secret)}@host`],
  ])('%s is masked', (_, text) => {
    const masked = redactorFor(secret).redactText(text);
    expect(masked).toContain('***');
    for (const part of ['s3cr3t', 'czNjcjN0', 'M2NyM3QvK1ZhbHVl', 'Value']) expect(masked).not.toContain(part);
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
