// One package manager each: what its tool prints in an image, what a registry answers, and the hosts that come of both.
// The registry is a real server on loopback; what the tools print is their own words with other hosts. Source: NETWORK.md 1.9.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ResolvedPreset } from '../../../sandbox-engine/contract/model.ts';
import type { RegistryPresetId } from '../../../sandbox-engine/egress/presets.ts';
import { allRegistries } from '../../../sandbox-engine/egress/registries/all-registries.ts';
import { resolveRegistry } from '../../../sandbox-engine/egress/resolve-registry.ts';
import { type FakeRegistry, startFakeRegistry } from './fake-registry.ts';

let registry: FakeRegistry;
beforeAll(async () => {
  registry = await startFakeRegistry();
});
afterAll(() => registry.close());
beforeEach(() => Object.assign(registry, { answers: {}, asked: [], lookedUp: [], headers: [], names: {} }));

const now = '2026-11-29T10:00:00.000Z';
const resolve = (id: RegistryPresetId, outputs: string[], previous: ResolvedPreset | null = null, allowPrivate = false) =>
  resolveRegistry({ manager: allRegistries[id], outputs, previous, allowPrivate, fetchChecked: registry.fetchChecked, now });
const hostsOf = ({ hosts }: ResolvedPreset): string[] => hosts.map(({ host, ports, from }) => `${host}:${ports.join('+')} ${from}`);

describe('npm', () => {
  const config = JSON.stringify({
    'omit-lockfile-registry-resolved': true,
    registry: 'http://npm.test/repo/',
    '@acme:registry': 'http://acme.test:8081/',
    'replace-registry-host': 'x',
  });

  test("the configured registries, the scopes' too, and the host of an archive's address", async () => {
    registry.answers['npm.test/repo/isarray/latest'] = {
      body: JSON.stringify({ dist: { tarball: 'https://files.test/isarray/-/isarray-1.0.0.tgz' } }),
    };
    registry.answers['acme.test:8081/isarray/latest'] = {
      body: JSON.stringify({ dist: { tarball: 'http://acme.test:8081/isarray.tgz' } }),
    };
    const preset = await resolve('npm', [config, '', '']);
    expect(hostsOf(preset)).toEqual(['npm.test:80 npm config', 'acme.test:8081 npm config', "files.test:443 npm's archives"]);
    expect([preset.state, preset.resolved_at, preset.source, preset.notes]).toEqual(['current', now, 'asked npm in the image', []]);
    expect(preset.hosts.map(({ uploads }) => uploads)).toEqual([true, true, false]);
  });

  test('what pnpm and yarn are configured to use counts too', async () => {
    const preset = await resolve('npm', ['', 'https://pnpm.test/\n', 'undefined\nhttps://yarn.test\n']);
    expect(hostsOf(preset)).toEqual(['pnpm.test:443 pnpm config', 'yarn.test:443 yarn config']);
  });
});

describe('pip', () => {
  const help = (index: string) =>
    `Usage:\n  -i, --index-url <url>       Base URL of the Python Package Index (default ${index}). This should point to a repository compliant with PEP 503.\n  --extra-index-url <url>     Extra URLs of package indexes to use in addition to --index-url. Should follow the same rules as --index-url.\n`;

  test("the index in its help, more indexes in its configuration, and the hosts of a page's links", async () => {
    const page =
      '<html><a href="../../packages/toml-0.9.tar.gz#sha256=1">x</a>\n<a data-x="1" href="https://files.test/packages/toml-0.10.whl">y</a></html>';
    registry.answers['pip.test/simple/toml/'] = { body: page };
    const config =
      "global.extra-index-url='http://more.test:3141/root/pypi/+simple\\nhttp://third.test/simple'\nglobal.timeout='10'\n:env:.index-url='http://pip.test/simple'\n";
    const preset = await resolve('pip', [help('http://pip.test/simple') + config, '']);
    expect(hostsOf(preset)).toEqual([
      "pip.test:80 pip's index",
      'more.test:3141 pip config',
      'third.test:80 pip config',
      "files.test:443 pip's files",
    ]);
    expect(preset.notes).toEqual(['more.test:3141 answered 404.', 'third.test answered 404.']);
  });

  test('an index that answers in JSON', async () => {
    registry.answers['pip.test/simple/toml/'] = {
      body: JSON.stringify({ files: [{ url: 'https://files.test/a.whl' }, { url: '../b.whl' }] }),
    };
    expect(hostsOf(await resolve('pip', [help('http://pip.test/simple'), '']))).toEqual([
      "pip.test:80 pip's index",
      "files.test:443 pip's files",
    ]);
  });

  test("uv's default, variables and configuration", async () => {
    const uv =
      '      --default-index <DEFAULT_INDEX>  The URL of the default package index (by default: <https://uv.test/simple>) [env: UV_DEFAULT_INDEX=]\n' +
      '  -i, --index-url <INDEX_URL>  (Deprecated) [env: UV_INDEX_URL=https://env.test/simple]\n[[index]]\nname = "ours"\nurl = "https://ours.test/simple"\n';
    expect(hostsOf(await resolve('pip', ['', uv]))).toEqual([
      "uv.test:443 uv's index",
      "env.test:443 uv's variables",
      'ours.test:443 uv config',
    ]);
  });
});

describe('go', () => {
  test('proxies and the checksum database, and where a module archive is redirected to', async () => {
    registry.answers['go.test/mod/github.com/google/uuid/@v/v1.6.0.zip'] = {
      status: 302,
      location: 'https://store.test/bucket/uuid.zip?sig=1',
    };
    const preset = await resolve('go', ['http://go.test/mod,https://second.test|direct\n', 'sum.test+033de0ae+Ac4zctda0e5eza\n']);
    expect(hostsOf(preset)).toEqual([
      "go.test:80 Go's module proxy",
      "second.test:443 Go's module proxy",
      "sum.test:443 Go's checksum database",
      "store.test:443 Go's module archives",
    ]);
  });

  test.each([
    ['direct\n', 'off\n', []],
    ['off\n', 'sum.test\n', ["sum.test:443 Go's checksum database"]],
    ['file:///srv/mods\n', 'sum.test https://mirror.test/sumdb\n', ["mirror.test:443 Go's checksum database"]],
  ])('GOPROXY %j and GOSUMDB %j', async (proxy, sums, expected) => {
    expect(hostsOf(await resolve('go', [proxy, sums]))).toEqual(expected);
  });
});

describe('cargo', () => {
  const tried = (url: string) =>
    `    Updating the index\nerror: failed to get \`sandlot-asks\` as a dependency of package \`ask v0.1.0 (/tmp/tmp.x)\`\n\nCaused by:\n  download of config.json failed\n\nCaused by:\n  failed to download from \`${url}\`\n\nCaused by:\n  [6] Could not resolve hostname (Could not resolve host: x)\n`;

  test('the index that it could not reach, and the dl and api of its config.json', async () => {
    registry.answers['index.test/crates/config.json'] = {
      body: JSON.stringify({ dl: 'https://dl.test/{lowerprefix}/{crate}', api: 'https://api.test' }),
    };
    const preset = await resolve('cargo', [tried('http://index.test/crates/config.json'), '']);
    expect(hostsOf(preset)).toEqual([
      "index.test:80 cargo's index",
      "dl.test:443 cargo's downloads and API",
      "api.test:443 cargo's downloads and API",
    ]);
    expect(registry.asked).toEqual(['GET index.test/crates/config.json']);
  });

  test('an index in git is named, and registries of its configuration', async () => {
    const config =
      '[registries.ours]\nindex = "sparse+http://ours.test/index/"\n[source.crates-io]\nreplace-with = "x"\n[source.x]\nregistry = "https://mirror.test/git/index"\n';
    const old = 'Caused by:\n  failed to fetch `https://git.test/org/index`\n';
    expect(hostsOf(await resolve('cargo', [old, config]))).toEqual([
      "git.test:443 cargo's index",
      'ours.test:80 cargo config',
      'mirror.test:443 cargo config',
    ]);
  });
});

describe('gem', () => {
  test("its sources, the host of its index, bundle's mirrors, and where an archive is redirected to", async () => {
    registry.answers['gem.test/gems/rake-13.0.6.gem'] = { status: 301, location: 'https://cdn.test/rake.gem' };
    const sources = '*** CURRENT SOURCES ***\n\nhttp://gem.test/\n';
    const tried = 'asks http://index.gem.test/\nasks http://gem.test/prerelease_specs.4.8.gz\nasks http://gem.test/specs.4.8.gz\n';
    const bundle =
      'Settings are listed in order of priority. The top value will be used.\nmirror.http://gem.test/\nSet for the current user (/root/.bundle/config): "https://mirror.test/"\n';
    expect(hostsOf(await resolve('gem', [sources, tried, bundle]))).toEqual([
      "gem.test:80 gem's sources",
      "index.gem.test:80 gem's index",
      "mirror.test:443 bundle's mirrors",
      "cdn.test:443 gem's archives",
    ]);
  });
});

describe('apt', () => {
  const uris = [
    "'http://apt.test/debian/dists/stable/InRelease' apt.test_debian_dists_stable_InRelease 0 ",
    "'http://apt.test/debian/dists/stable/main/binary-amd64/Packages.xz' x 0 ",
    "'https://security.test:8443/dists/stable-security/InRelease' y 0 ",
    "'file:/srv/debs/InRelease' z 0 ",
  ].join('\n');

  test('its sources whatever their form, its proxy, and where a redirector sends', async () => {
    registry.answers['apt.test/debian/dists/stable/InRelease'] = {
      status: 302,
      location: 'http://mirror7.test/debian/dists/stable/InRelease',
    };
    const preset = await resolve('apt', [uris, 'Acquire::http::Proxy "http://cacher.test:3142";\n']);
    expect(hostsOf(preset)).toEqual([
      "apt.test:80 apt's sources",
      "security.test:8443 apt's sources",
      "cacher.test:3142 apt's proxy",
      "mirror7.test:80 apt's files",
    ]);
    expect(registry.asked).toEqual(['GET apt.test/debian/dists/stable/InRelease']);
  });
});

describe('maven', () => {
  test('the repositories that it names when it can reach none, and where one redirects to', async () => {
    registry.answers['maven.test/maven2/org/apache/maven/plugins/maven-metadata.xml'] = {
      status: 307,
      location: 'http://other.test/m.xml',
    };
    const prefix =
      "[ERROR] No plugin found for prefix 'dependency' in the current project and in the plugin groups [org.apache.maven.plugins, org.codehaus.mojo] available from the repositories [local (/root/.m2/repository), central (http://maven.test/maven2)] -> [Help 1]\n[ERROR] [Help 1] http://help.test/confluence\n";
    const transfer =
      '[ERROR] Could not transfer artifact org.x:y:pom:1 from/to ours (https://ours.test/repo): ours.test: Temporary failure in name resolution\n';
    expect(hostsOf(await resolve('maven', [prefix + transfer]))).toEqual([
      "maven.test:80 Maven's repositories",
      "ours.test:443 Maven's repositories",
      "other.test:80 Maven's files",
    ]);
  });
});

test.each(Object.keys(allRegistries) as RegistryPresetId[])('%s that is not in the image opens nothing and asks nobody', async (id) => {
  const preset = await resolve(id, ['', '', '']);
  expect([preset.hosts, preset.state, registry.asked]).toEqual([[], 'current', []]);
  expect(preset.notes).toEqual([`${id} is not in the image, or names no registry.`]);
});

test.each(Object.values(allRegistries))('the scripts for $id are sound shell', async ({ commands }) => {
  const { spawnSync } = await import('node:child_process');
  expect(commands.map((script) => spawnSync('bash', ['-n', '-c', script], { encoding: 'utf8' }).stderr)).toEqual(commands.map(() => ''));
});
