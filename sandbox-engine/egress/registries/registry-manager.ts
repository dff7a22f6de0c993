// What Sandlot has to know about a package manager to find the hosts that it is configured to use: what to ask it, how to read its answers,
// and which question to the registry shows where files are served from. No host of a registry stands anywhere in here.
// Source: NETWORK.md 1.9.
import type { RegistryPresetId } from '../presets.ts';

/** A place that the tool in the image is configured to use. */
export interface ConfiguredPlace {
  url: URL;
  /** In a person's words: `npm config`, `pip's index`. */
  from: string;
  /** Packages can be published to it. */
  uploads: boolean;
}

/** One question to a registry. */
export interface FollowUp {
  url: URL;
  accept?: string;
}

export interface RegistryManager {
  id: RegistryPresetId;
  /** Scripts for a login shell in the image, without network; each prints what the tool says, and nothing when the tool is not there. */
  commands: readonly string[];
  /** The places in what the commands printed, the same order. */
  configured: (outputs: readonly string[]) => ConfiguredPlace[];
  /** Null when there is nothing to ask there. */
  followUp: (place: ConfiguredPlace) => FollowUp | null;
  /** Addresses of files, absolute or relative to what was asked; nothing when the answer says none. */
  files: (body: string) => string[];
  /** What the files' place is called. */
  filesFrom: string;
}

/** Reads one web address; null when it is none. User and password are dropped. */
const readUrl = (text: string): URL | null => {
  const trimmed = text.trim().replace(/^(?:sparse|registry|mirror)\+/, '');
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return null;
  const url = new URL(trimmed);
  url.username = '';
  url.password = '';
  return url;
};

/** The places of all texts that are web addresses, each once. */
export const placesOf = (texts: Iterable<string | undefined>, from: string, uploads: boolean): ConfiguredPlace[] => {
  const urls = [...texts].flatMap((text) => readUrl(text ?? '') ?? []);
  const once = new Map(urls.map((url) => [url.href, url]));
  return [...once.values()].map((url) => ({ url, from, uploads }));
};

/** The first group of every match. */
export const groupsIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].flatMap((match) => match[1] ?? []);

/** An address below a base that may lack the final slash. */
export const below = (base: URL, path: string): URL => {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
  url.search = '';
  url.hash = '';
  return url;
};

/** Reads JSON; null when it is none. */
export const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

/** A text behind a path of keys; nothing when it is not there. */
export const textAt = (value: unknown, ...keys: string[]): string | undefined => {
  const found = keys.reduce<unknown>(
    (inner, key) => (inner !== null && typeof inner === 'object' && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined),
    value,
  );
  return typeof found === 'string' ? found : undefined;
};
