// Tells when there is a newer version, where the package names a feed; installs nothing. Without a feed nobody is asked.
// Source: electron-builder, "Publish": app-update.yml beside the app, latest.yml, latest-mac.yml and latest-linux.yml at the feed.
import type { Notice } from './notify.ts';

const lineOf = (text: string, key: string): string | null => new RegExp(`^${key}: *['"]?([^'"\\s]+)['"]? *$`, 'm').exec(text)?.[1] ?? null;

/** The address that a package was made with; null unless it is a plain https one. */
export const feedOf = (appUpdateYml: string): string | null => {
  const url = lineOf(appUpdateYml, 'provider') === 'generic' ? lineOf(appUpdateYml, 'url') : null;
  return url !== null && URL.canParse(url) && new URL(url).protocol === 'https:' ? url.replace(/\/+$/, '') : null;
};

/** The file at the feed that names the newest version for a system. */
export const feedFileOf = (platform: NodeJS.Platform, arch: string): string => {
  if (platform === 'win32') return 'latest.yml';
  if (platform === 'darwin') return 'latest-mac.yml';
  return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`;
};

const numbersOf = (version: string): number[] | null => /^\d+\.\d+\.\d+$/.exec(version)?.[0].split('.').map(Number) ?? null;

/** Whether a version comes after ours. What is no release, as `1.0.0-beta.1`, never does. */
export const isNewer = (offered: string, ours: string): boolean => {
  const [there, here] = [numbersOf(offered), numbersOf(ours.replace(/-.*$/, ''))];
  if (there === null || here === null) return false;
  const at = there.findIndex((number, place) => number !== here[place]);
  return at >= 0 && (there[at] ?? 0) > (here[at] ?? 0);
};

export interface UpdateWatchOptions {
  /** The text of app-update.yml; null where the package has none. */
  appUpdateYml: string | null;
  version: string;
  platform: NodeJS.Platform;
  arch: string;
  /** Reads an address; at most a few KiB, and nothing of ours is sent. */
  fetchText: (url: string) => Promise<string>;
  tell: (notice: Notice) => void;
  log: { warn: (fields: object, message: string) => void };
}

const dayMs = 24 * 3_600_000;

/** Looks once now and once a day; a version is told once. The returned function ends it. */
export const watchUpdates = ({ appUpdateYml, version, platform, arch, fetchText, tell, log }: UpdateWatchOptions): (() => void) => {
  const feed = appUpdateYml === null ? null : feedOf(appUpdateYml);
  if (feed === null) return () => undefined;
  let told = '';
  const look = async (): Promise<void> => {
    const offered = lineOf(await fetchText(`${feed}/${feedFileOf(platform, arch)}`), 'version') ?? '';
    if (!isNewer(offered, version) || offered === told) return;
    told = offered;
    tell({
      title: `Sandlot ${offered} is there`,
      body: `This is ${version}. Get it where you got this one; sessions go on meanwhile.`,
      route: '/settings',
    });
  };
  const lookQuietly = (): void => void look().catch((error: unknown) => log.warn({ error }, 'the feed of updates did not answer'));
  lookQuietly();
  const timer = setInterval(lookQuietly, dayMs);
  return () => clearInterval(timer);
};
