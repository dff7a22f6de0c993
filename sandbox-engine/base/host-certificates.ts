// The certificate authorities that this machine trusts beyond the public ones: a company's proxy signs with such a one, and a build
// behind it fails without. Public ones are left out: the base's own package brings them.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';

const bundles = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt'];
const publicFolder = '/usr/share/ca-certificates';

const split = (pem: string): string[] => pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];

const bare = (pem: string): string => pem.replace(/-----[A-Z ]+-----|\s/g, '');

const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

const packaged = async (): Promise<string[]> => {
  const names = await readdir(publicFolder, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith('.crt')).map((name) => readText(join(publicFolder, name)));
  return (await Promise.all(files)).flatMap(split);
};

const placesOf = (env: Record<string, string | undefined>): string[] => {
  const named = [env['NODE_EXTRA_CA_CERTS'], env['SSL_CERT_FILE']].filter((path) => path !== undefined && path !== '') as string[];
  return [...new Set([...bundles, ...named])];
};

/** The extra authorities as PEM texts, sorted; empty on an ordinary machine. `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE` count as well. */
export const readHostCertificates = async (env: Record<string, string | undefined>): Promise<string[]> => {
  const texts = await Promise.all(placesOf(env).map(readText));
  const known = new Set([...rootCertificates, ...(await packaged())].map(bare));
  const extra = new Map(texts.flatMap(split).map((pem) => [bare(pem), pem]));
  return [...extra]
    .filter(([key]) => !known.has(key))
    .map(([, pem]) => `${pem}\n`)
    .sort();
};

/** When the files were last changed, and how long they are: as long as this stays, so do the authorities. */
const stateOf = async (paths: string[]): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      paths.map((path) =>
        stat(path)
          .then(({ mtimeMs, size, ino }) => [mtimeMs, size, ino])
          .catch(() => null),
      ),
    ),
  );

/** Makes a reader that looks into the files again only when they have changed. */
export const createHostCertificates = (env: Record<string, string | undefined>): (() => Promise<string[]>) => {
  let last: { state: string; authorities: string[] } | null = null;
  return async () => {
    const state = await stateOf([...placesOf(env), publicFolder]);
    if (last?.state !== state) last = { state, authorities: await readHostCertificates(env) };
    return last.authorities;
  };
};
