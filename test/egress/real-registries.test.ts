// The package mirror and the registries that this machine's tools are configured with, through a policy that allows just them, in a setup run.
// Their names are read from the tools at run time; where one cannot be reached its part says so and is left out. In a test's machine such a name
// may lead to an address of the documentation's range, which no policy can ever open: the edge beyond the proxy gives it a public one.
// Source: issue 4 ("Done when"); NETWORK.md 1.3, 1.9.
import { lookup } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import type { NetworkRule, PresetHost } from '../../sandbox-engine/contract/model.ts';
import type { FetchChecked } from '../../sandbox-engine/egress/fetch-checked.ts';
import { allRegistries } from '../../sandbox-engine/egress/registries/all-registries.ts';
import { resolveRegistry } from '../../sandbox-engine/egress/resolve-registry.ts';
import type { RouteEntry } from '../../sandbox-engine/egress/worker-messages.ts';
import { askImage } from '../../sandbox-engine/engine/ask-image.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';
import { ensureNetworkTools, openToolHouse, type ToolHouse } from './tools/tool-house.ts';

/** What each manager is asked to do: a small package that public registries and their mirrors have. */
const work = {
  apt: 'sudo apt-get -qq update && sudo apt-get -qq install -y --reinstall --no-install-recommends hello',
  npm: 'npm install --prefix "$(mktemp -d)" --no-audit --no-fund --fetch-retries 0 isarray',
  pip: 'pip install -q --no-cache-dir --break-system-packages --retries 0 --target "$(mktemp -d)" toml',
} as const;
type Manager = keyof typeof work;
const managers = Object.keys(work) as Manager[];

/** Asks from the host as a browser would: whether its address may be opened to a sandbox is not what is asked here. */
const fetchPlainly: FetchChecked = async ({ url, accept, maxBytes }) => {
  try {
    const headers = accept === undefined ? {} : { accept };
    const answer = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(10_000) });
    const body = (await answer.text()).slice(0, maxBytes);
    return { ok: true, status: answer.status, location: answer.headers.get('location'), body };
  } catch (thrown) {
    return { ok: false, detail: String(thrown) };
  }
};

const [place] = testRuntimes;

/** The hosts of each manager in the image, for those that answer; why not, for the others. */
const findHosts = async (socket: string, image: string): Promise<Map<Manager, PresetHost[] | string>> => {
  const runtime = createDockerRuntime({
    id: 'ask',
    kind: place?.kind ?? 'docker',
    connection: { kind: 'socket', address: '', socketPath: socket },
  });
  try {
    const said = await askImage({
      ...{
        runtime,
        imageId: image,
        name: `sandlot-probe-registries-${process.pid}`,
        labels: {},
        env: [],
        signal: AbortSignal.timeout(120_000),
      },
      scripts: Object.fromEntries(managers.map((id) => [id, allRegistries[id].commands])),
    });
    const found = managers.map(async (id): Promise<[Manager, PresetHost[] | string]> => {
      const question = {
        manager: allRegistries[id],
        outputs: said[id] ?? [],
        previous: null,
        allowPrivate: false,
        fetchChecked: fetchPlainly,
      };
      const { state, hosts, notes } = await resolveRegistry({ ...question, now: new Date().toISOString() });
      return [id, state === 'current' && hosts.length > 0 ? hosts : notes.join(' ')];
    });
    return new Map(await Promise.all(found));
  } finally {
    runtime.close();
  }
};

const image = place === undefined ? '' : await ensureNetworkTools(place.socket);
const found = place === undefined ? new Map<Manager, PresetHost[] | string>() : await findHosts(place.socket, image);
for (const id of managers) {
  const why = found.get(id);
  if (typeof why === 'string') process.stderr.write(`skipped: ${id}'s registry cannot be reached here: ${why}\n`);
}
const reachable = managers.filter((id) => Array.isArray(found.get(id)));
const hostsOf = (id: Manager): PresetHost[] => (found.get(id) as PresetHost[] | undefined) ?? [];

/** Each host at a public address of its own, behind which it really is. */
const buildEdge = async (hosts: PresetHost[]) => {
  const names = [...new Set(hosts.map(({ host }) => host))];
  const routes: RouteEntry[] = [];
  for (const [index, name] of names.entries()) {
    const { address } = await lookup(name, 4);
    const ports = hosts.filter(({ host }) => host === name).flatMap((host) => host.ports);
    for (const port of ports) routes.push({ address: `20.1.0.${index + 1}`, port, to: { address, port } });
  }
  const questions = new Set<string>();
  return {
    questions,
    upstream: {
      routes,
      resolve: async (name: string) => {
        questions.add(name);
        const index = names.indexOf(name);
        return index < 0
          ? { ok: false as const, detail: 'not of this test' }
          : { ok: true as const, addresses: [`20.1.0.${index + 1}`], ttlSeconds: 60 };
      },
    },
  };
};

const rulesFor = (hosts: PresetHost[]): NetworkRule[] => hosts.map(({ host, ports }) => ({ action: 'allow', hosts: [host], ports }));

describe.skipIf(reachable.length === 0)('the registries of this machine, in a setup run', () => {
  let house: ToolHouse;
  let edge: Awaited<ReturnType<typeof buildEdge>>;
  beforeAll(async () => {
    edge = await buildEdge(reachable.flatMap(hostsOf));
    house = await openToolHouse(edge.upstream);
  });
  afterAll(async () => await house.close(), 120_000);

  test.each(reachable)('%s works through a policy that allows just its own hosts, by the variables and without them', async (id) => {
    const unset = 'unset HTTP_PROXY HTTPS_PROXY FTP_PROXY NO_PROXY http_proxy https_proxy ftp_proxy no_proxy';
    const script = `set -e\n${work[id]}\n${unset}\n${work[id]}\n`;
    const hosts = hostsOf(id);
    const { run, lines, attempts } = await house.runSetup({ runtime: place?.kind ?? '', image, rules: rulesFor(hosts), script });
    expect([run.status, run.hint, run.status === 'succeeded' ? [] : lines.slice(-20)]).toEqual(['succeeded', null, []]);
    const names = new Set(hosts.map(({ host }) => host));
    expect(attempts.filter(({ verdict, host }) => verdict === 'blocked' || !names.has(host ?? ''))).toEqual([]);
    expect(new Set(attempts.map(({ mode }) => mode))).toEqual(new Set(['explicit', 'transparent']));
    expect([...edge.questions].filter((name) => !reachable.flatMap(hostsOf).some(({ host }) => host === name))).toEqual([]);
  });
});
