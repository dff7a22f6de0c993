// Finds the addresses of a name, for the dialler only: a question of a sandbox never leads here. Asks the name server of this computer
// directly, with a final dot, so that no search domain and no mDNS take part, and the hosts file of this computer before it.
// Source: NETWORK.md 1.3 and 1.4; hosts(5).
import { Resolver } from 'node:dns/promises';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The addresses of a name, best first, and for how long they hold; a failure says why in a person's words. */
export type Answer = { ok: true; addresses: string[]; ttlSeconds: number } | { ok: false; detail: string };

/** Looks up a canonical name. Never rejects. */
export type Resolve = (name: string) => Promise<Answer>;

const hostsFile =
  process.platform === 'win32' ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts` : '/etc/hosts';
const serversFile = '/etc/resolv.conf';
const lookAgainMs = 1_000;

/** Reads the text of a hosts file: addresses by name, in the order of the file. */
export const readHosts = (text: string): Map<string, string[]> => {
  const found = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/s, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/, '');
      found.set(key, [...(found.get(key) ?? []), address]);
    }
  }
  return found;
};

// Keeps what `read` made of a file until the file changes; looks at most once a second.
const fresh = <T>(file: string, read: () => T): (() => T) => {
  let value = read();
  let version = '';
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - lookedAt < lookAgainMs) return value;
    lookedAt = now;
    const stat = statSync(file, { throwIfNoEntry: false });
    const seen = stat === undefined ? '' : `${stat.mtimeMs}-${stat.size}-${stat.ino}`;
    if (seen !== version) {
      version = seen;
      value = read();
    }
    return value;
  };
};

const readHostsFile = (): Map<string, string[]> => {
  try {
    return readHosts(readFileSync(hostsFile, 'utf8'));
  } catch {
    return new Map(); // A computer without a hosts file has no names in it.
  }
};

type Family = 'resolve4' | 'resolve6';

const noData = new Set(['ENODATA', 'ENOTFOUND']);

const hasIpv4 = (): boolean =>
  Object.values(networkInterfaces()).some((list) => list?.some(({ family, internal }) => family === 'IPv4' && !internal));

const ask = async (
  resolver: Resolver,
  family: Family,
  name: string,
): Promise<{ records: { address: string; ttl: number }[]; code: string }> => {
  try {
    return { records: await resolver[family](`${name}.`, { ttl: true }), code: '' };
  } catch (thrown) {
    return { records: [], code: (thrown as NodeJS.ErrnoException).code ?? 'unknown' };
  }
};

const inWords = (name: string, code: string): string => {
  if (noData.has(code)) return `The name ${name} has no address.`;
  if (code === 'ETIMEOUT') return `The name server did not answer for ${name}.`;
  return `The name server of this computer failed for ${name} (${code}).`;
};

/**
 * Makes the resolver of this computer, which asks its name servers unless others are given. A changed hosts file or list of name servers
 * counts within a second.
 */
export const createResolve = (limitMs: number, servers?: string[]): Resolve => {
  const hosts = fresh(hostsFile, readHostsFile);
  const resolver = fresh(serversFile, () => {
    const made = new Resolver({ timeout: Math.floor(limitMs / 2), tries: 2 });
    if (servers !== undefined) made.setServers(servers);
    return made;
  });
  return async (name) => {
    const known = hosts().get(name);
    if (known !== undefined) return { ok: true, addresses: known, ttlSeconds: 0 };
    const families: Family[] = hasIpv4() ? ['resolve4', 'resolve6'] : ['resolve6', 'resolve4'];
    let code = '';
    for (const family of families) {
      const found = await ask(resolver(), family, name);
      if (found.records.length > 0) {
        const ttlSeconds = Math.min(...found.records.map(({ ttl }) => ttl));
        return { ok: true, addresses: found.records.map(({ address }) => address), ttlSeconds };
      }
      code = found.code;
      if (!noData.has(code)) break; // What is broken for one family is not asked again for the other.
    }
    return { ok: false, detail: inWords(name, code) };
  };
};

const longestTtlSeconds = 60;
const mostNames = 4_096;

/**
 * Keeps answers for as long as they hold, at most a minute, and lets those who ask at the same time share one question. Ends each question
 * after `limitMs`. A failure is not kept.
 */
export const rememberAnswers = (resolve: Resolve, limitMs: number): Resolve => {
  const kept = new Map<string, { answer: Answer; until: number }>();
  const underWay = new Map<string, Promise<Answer>>();

  const askOnce = async (name: string): Promise<Answer> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Answer>((settle) => {
      timer = setTimeout(() => settle({ ok: false, detail: `No answer for ${name} within ${limitMs / 1000} seconds.` }), limitMs);
    });
    const broken = (): Answer => ({ ok: false, detail: `The lookup of ${name} failed.` });
    const answer = await Promise.race([resolve(name).catch(broken), late]);
    clearTimeout(timer);
    underWay.delete(name);
    if (!answer.ok || answer.ttlSeconds <= 0) return answer;
    if (kept.size >= mostNames) kept.clear();
    kept.set(name, { answer, until: performance.now() + Math.min(answer.ttlSeconds, longestTtlSeconds) * 1_000 });
    return answer;
  };

  return async (name) => {
    const known = kept.get(name);
    if (known !== undefined && performance.now() < known.until) return known.answer;
    kept.delete(name);
    const asked = underWay.get(name) ?? askOnce(name);
    underWay.set(name, asked);
    return await asked;
  };
};
