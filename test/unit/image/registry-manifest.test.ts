import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';
import { maxBaseBytes } from '../../../sandbox-engine/image/checks.ts';
import { pullTrouble } from '../../../sandbox-engine/image/login-wanted.ts';
import { checkBeforePull } from '../../../sandbox-engine/image/registry-manifest.ts';
import { parseImageReference } from '../../../sandbox-engine/recipe/reference.ts';

type Answers = Record<string, { status?: number; body?: unknown; headers?: Record<string, string>; needsToken?: boolean }>;

let server: Server | null = null;
const portOf = (open: Server | null): number => (open?.address() as AddressInfo | null)?.port ?? 0;
afterEach(() => server?.close());

/** A registry on loopback: path -> answer; everything else is 404. Remembers what was asked. */
const startRegistry = async (answers: Answers): Promise<{ name: string; asked: string[] }> => {
  const asked: string[] = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers[(request.url ?? '').split('?')[0] ?? ''];
    const port = portOf(server);
    if (answer?.needsToken === true && request.headers.authorization !== 'Bearer let-me-in') {
      response.writeHead(401, { 'www-authenticate': `Bearer realm="http://127.0.0.1:${port}/token",service="s",scope="pull"` }).end();
      return;
    }
    response.writeHead(answer?.status ?? (answer === undefined ? 404 : 200), { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.body ?? {}));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { name: `127.0.0.1:${portOf(server)}`, asked };
};

const outcome = async (reference: string, architecture = 'amd64'): Promise<string> => {
  try {
    await checkBeforePull(parseImageReference(reference), architecture, AbortSignal.timeout(5000));
    return 'passes';
  } catch (thrown) {
    return thrown instanceof SandlotError ? thrown.code : String(thrown);
  }
};

const index = (architectures: string[]) => ({
  manifests: architectures.map((architecture) => ({ digest: `sha256:${architecture}`, platform: { os: 'linux', architecture } })),
});

describe('a reference is checked at its registry before anything is pulled', () => {
  test.each([
    [[maxBaseBytes], 'passes'],
    [[maxBaseBytes - 10, 10], 'passes'],
    [[maxBaseBytes - 10, 11], 'TooLarge'],
  ])('layers of %j compressed bytes: %s', async (sizes, expected) => {
    const registry = await startRegistry({ '/v2/a/b/manifests/v1': { body: { layers: sizes.map((size) => ({ size })) } } });
    expect(await outcome(`${registry.name}/a/b:v1`)).toBe(expected);
    expect(registry.asked.some((url) => url.includes('/blobs/'))).toBe(false);
  });

  test.each([
    [['amd64', 'arm64'], 'amd64', 'passes'],
    [['arm64'], 'amd64', 'WrongArchitecture'],
    [['amd64'], 'arm64', 'WrongArchitecture'],
  ])('an index that offers %j to a runtime of %s: %s', async (offered, architecture, expected) => {
    const registry = await startRegistry({
      '/v2/a/b/manifests/latest': { body: index(offered) },
      [`/v2/a/b/manifests/sha256:${architecture}`]: { body: { layers: [{ size: 1 }] } },
    });
    expect(await outcome(`${registry.name}/a/b`, architecture)).toBe(expected);
  });

  test('a token is fetched where the registry asks for one', async () => {
    const registry = await startRegistry({
      '/token': { body: { token: 'let-me-in' } },
      '/v2/a/b/manifests/latest': { needsToken: true, body: { layers: [{ size: maxBaseBytes + 1 }] } },
    });
    expect(await outcome(`${registry.name}/a/b`)).toBe('TooLarge');
  });

  test.each([
    [404, 'RegistryError'],
    [401, 'PullSecretError'],
    [403, 'PullSecretError'],
  ])('HTTP %d is a %s', async (status, code) => {
    const registry = await startRegistry({ '/v2/a/b/manifests/latest': { status } });
    expect(await outcome(`${registry.name}/a/b`)).toBe(code);
  });

  test.each([
    ["pull access denied for a/b, repository does not exist or may require 'docker login'", 'PullSecretError'],
    ['unauthorized: authentication required', 'PullSecretError'],
    ['requested access to the resource is denied', 'PullSecretError'],
    ['manifest unknown', 'runtime_error'],
    ['dial tcp: lookup registry.test: no such host', 'runtime_error'],
  ])('of a pull that ends with %j it is said to be a %s', (said, code) => {
    const trouble = pullTrouble(parseImageReference('registry.test/a/b'), new SandlotError('runtime_error', `Could not pull a/b: ${said}`));
    expect(trouble).toMatchObject({ code });
  });

  test('a registry that cannot be reached from here is left to the runtime', async () => {
    expect(await outcome('127.0.0.1:1/a/b')).toBe('passes');
  });
});
