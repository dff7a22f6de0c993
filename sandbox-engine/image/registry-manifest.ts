// Asks an image registry what a reference is before a byte of it is pulled: is it there, for which processor, how large compressed.
// Source: OCI Distribution Specification 1.1 (manifests, token authentication), OCI Image Specification (index, manifest).
import { SandlotError } from '../base/errors.ts';
import type { ImageReference } from '../recipe/reference.ts';
import { cancelled } from './cancelled.ts';
import { checkArchitecture, checkCompressedSize } from './checks.ts';
import { loginWanted } from './login-wanted.ts';

interface Descriptor {
  digest?: string;
  size?: number;
  platform?: { os?: string; architecture?: string };
}
interface Manifest {
  manifests?: Descriptor[];
  layers?: Descriptor[];
}

const accept = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

const timeoutMs = 15_000;

/** Where a registry name is really served. Docker Hub's name in references is not the name of its server. */
const origin = (registry: string): string => {
  if (registry === 'docker.io') return 'https://registry-1.docker.io';
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(registry) ? `http://${registry}` : `https://${registry}`;
};

const challenge = (header: string): Record<string, string> =>
  Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map((match) => [match[1] ?? '', match[2] ?? '']));

const fetchToken = async (header: string, signal: AbortSignal): Promise<string | null> => {
  const { realm, service, scope } = challenge(header);
  if (realm === undefined || !URL.canParse(realm)) return null;
  const url = new URL(realm);
  if (service !== undefined) url.searchParams.set('service', service);
  if (scope !== undefined) url.searchParams.set('scope', scope);
  const answer = await fetch(url, { signal });
  if (!answer.ok) return null;
  const body = (await answer.json()) as { token?: string; access_token?: string };
  return body.token ?? body.access_token ?? null;
};

const refuse = (reference: ImageReference, status: number): SandlotError => {
  const details = { status };
  if (status !== 404) return loginWanted(reference, `HTTP ${status}`, { details });
  return new SandlotError(
    'RegistryError',
    `The registry ${reference.registry} has no such image or tag: "${reference.canonical}" (HTTP 404).`,
    {
      nextAction: 'Check the spelling of the reference and its tag.',
      details,
    },
  );
};

/** Reads one manifest. null when the registry cannot be reached from here: the runtime may reach it all the same. */
const fetchManifest = async (reference: ImageReference, name: string, signal: AbortSignal): Promise<Manifest | null> => {
  const url = `${origin(reference.registry)}/v2/${reference.repository}/manifests/${name}`;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    let answer = await fetch(url, { headers: { accept }, signal: limit });
    if (answer.status === 401) {
      const token = await fetchToken(answer.headers.get('www-authenticate') ?? '', limit);
      if (token !== null) answer = await fetch(url, { headers: { accept, authorization: `Bearer ${token}` }, signal: limit });
    }
    if (answer.status === 401 || answer.status === 403 || answer.status === 404) throw refuse(reference, answer.status);
    return answer.ok ? ((await answer.json()) as Manifest) : null;
  } catch (thrown) {
    if (thrown instanceof SandlotError) throw thrown;
    if (signal.aborted) throw cancelled('The check of the base was cancelled.', thrown);
    return null;
  }
};

const pickPlatform = (reference: ImageReference, manifests: Descriptor[], architecture: string): string => {
  const forLinux = manifests.filter((one) => one.platform?.os === 'linux');
  const match = forLinux.find((one) => one.platform?.architecture === architecture);
  if (match?.digest !== undefined) return match.digest;
  const offered = [...new Set(forLinux.map((one) => one.platform?.architecture ?? '?'))].join(', ');
  checkArchitecture(reference.canonical, offered === '' ? 'another system' : offered, architecture);
  return '';
};

/** Refuses a reference that is not there, is for another processor, or is too large, without pulling its layers.
 * Says nothing when the registry cannot be reached. @throws RegistryError @throws PullSecretError @throws WrongArchitecture @throws TooLarge @throws cancelled */
export const checkBeforePull = async (reference: ImageReference, architecture: string, signal: AbortSignal): Promise<void> => {
  let manifest = await fetchManifest(reference, reference.digest ?? reference.tag ?? 'latest', signal);
  if (manifest?.manifests !== undefined) {
    manifest = await fetchManifest(reference, pickPlatform(reference, manifest.manifests, architecture), signal);
  }
  if (manifest?.layers === undefined) return;
  checkCompressedSize(
    reference.canonical,
    manifest.layers.reduce((sum, layer) => sum + (layer.size ?? 0), 0),
  );
};
