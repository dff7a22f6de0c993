import { describe, expect, test } from 'vitest';
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';
import {
  checkArchitecture,
  checkCompressedSize,
  checkDebianFamily,
  maxBaseBytes,
  parseOsRelease,
} from '../../../sandbox-engine/image/checks.ts';

const codeOf = (act: () => void): string => {
  try {
    act();
    return 'passes';
  } catch (thrown) {
    return thrown instanceof SandlotError ? thrown.code : String(thrown);
  }
};

describe('the checks of a base', () => {
  test.each([
    ['amd64', 'amd64', 'passes'],
    ['arm64', 'amd64', 'WrongArchitecture'],
    ['amd64', 'arm64', 'WrongArchitecture'],
    ['', 'amd64', 'passes'],
  ])('an image for %s on a runtime of %s: %s', (image, runtime, expected) => {
    expect(codeOf(() => checkArchitecture('x', image, runtime))).toBe(expected);
  });

  test.each([
    [maxBaseBytes, 'passes'],
    [maxBaseBytes + 1, 'TooLarge'],
  ])('%d compressed bytes: %s', (bytes, expected) => {
    expect(codeOf(() => checkCompressedSize('x', bytes))).toBe(expected);
  });

  test('a base without apt-get is refused, and musl is named when it is seen', () => {
    const alpine = { family: ['alpine'], prettyName: 'Alpine Linux v3.20', hasApt: false, hasMusl: true };
    expect(codeOf(() => checkDebianFamily('alpine:3.20', alpine))).toBe('NotDebianFamily');
    expect(() => checkDebianFamily('alpine:3.20', alpine)).toThrow(/Alpine Linux v3\.20.*musl/);
    expect(() => checkDebianFamily('fedora', { family: ['fedora'], prettyName: 'Fedora', hasApt: false, hasMusl: false })).not.toThrow(
      /musl/,
    );
    expect(
      codeOf(() => checkDebianFamily('ubuntu', { family: ['ubuntu', 'debian'], prettyName: 'Ubuntu', hasApt: true, hasMusl: false })),
    ).toBe('passes');
  });

  test('os-release is read with and without quotes', () => {
    expect(parseOsRelease('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n# no\nID_LIKE=\'a b\'\n')).toEqual({
      PRETTY_NAME: 'Debian GNU/Linux 12 (bookworm)',
      ID: 'debian',
      ID_LIKE: 'a b',
    });
  });
});
