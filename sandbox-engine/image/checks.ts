// What a base must be before anything is built on it. Pure but for what it is given to read with.
// Source: SPEC.md 3 (Bases); os-release(5).
import { SandlotError } from '../base/errors.ts';
import type { ReadInside } from './look-into.ts';

/** Compressed bytes that a custom base may have at most. */
export const maxBaseBytes = 5 * 1024 ** 3;

/** What the files of an image say about where it comes from. */
export interface Distribution {
  /** `ID` and `ID_LIKE` of os-release, lower case; empty when there is no such file. */
  family: string[];
  prettyName: string | null;
  hasApt: boolean;
  hasMusl: boolean;
}

/** Refuses an image made for another processor than the runtime's own. @throws WrongArchitecture */
export const checkArchitecture = (reference: string, imageArchitecture: string, runtimeArchitecture: string): void => {
  if (imageArchitecture === '' || imageArchitecture === runtimeArchitecture) return;
  throw new SandlotError(
    'WrongArchitecture',
    `"${reference}" is made for ${imageArchitecture}, but this runtime needs ${runtimeArchitecture}.`,
    {
      nextAction: `Choose a tag of it that is built for linux/${runtimeArchitecture}, or another base.`,
      details: { image: imageArchitecture, runtime: runtimeArchitecture },
    },
  );
};

/** Refuses a base whose compressed layers are more than 5 GiB together. @throws TooLarge */
export const checkCompressedSize = (reference: string, bytes: number): void => {
  if (bytes <= maxBaseBytes) return;
  throw new SandlotError('TooLarge', `"${reference}" is ${(bytes / 1024 ** 3).toFixed(2)} GiB compressed; a base may have at most 5 GiB.`, {
    nextAction: 'Use a slimmer variant of it, or move large files out of the image.',
    details: { bytes, max_bytes: maxBaseBytes },
  });
};

/** Refuses what is not of the Debian family, because the runtime layer is installed with apt-get. @throws NotDebianFamily */
export const checkDebianFamily = (reference: string, distribution: Distribution): void => {
  if (distribution.hasApt) return;
  const name = distribution.prettyName ?? 'a system without /etc/os-release';
  const libc = distribution.hasMusl ? ' It uses musl libc, for which Debian packages do not work.' : '';
  throw new SandlotError('NotDebianFamily', `"${reference}" is not Debian-family: it is ${name} and has no apt-get.${libc}`, {
    nextAction: 'Use a Debian or Ubuntu based variant, for example one whose tag ends in "-bookworm" or "-slim".',
    details: { family: distribution.family, musl: distribution.hasMusl },
  });
};

/** Reads os-release text into its keys. */
export const parseOsRelease = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => /^([A-Z_]+)=(.*)$/.exec(line.trim()))
      .filter((match) => match !== null)
      .map((match) => [match[1] ?? '', (match[2] ?? '').replace(/^(["'])(.*)\1$/, '$2')]),
  );

const muslLoaders: Record<string, string> = { amd64: '/lib/ld-musl-x86_64.so.1', arm64: '/lib/ld-musl-aarch64.so.1' };

/** What the files of an image say about where it comes from; `architecture` is that of the image. */
export const readDistribution = async (read: ReadInside, architecture: string): Promise<Distribution> => {
  const fields = parseOsRelease((await read('/usr/lib/os-release')) ?? (await read('/etc/os-release')) ?? '');
  const musl = muslLoaders[architecture];
  return {
    family: `${fields['ID'] ?? ''} ${fields['ID_LIKE'] ?? ''}`.toLowerCase().split(/\s+/).filter(Boolean),
    prettyName: fields['PRETTY_NAME'] ?? null,
    hasApt: (await read('/usr/bin/apt-get')) !== null,
    hasMusl: musl !== undefined && (await read(musl)) !== null,
  };
};
