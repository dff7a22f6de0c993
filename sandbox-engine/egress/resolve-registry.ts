// Makes the preset of one package manager from what it said in the image and what its registry answers: once, from the host's side.
// What could not be found out is taken from the last result, and said. Source: NETWORK.md 1.9.
import type { PresetHost, ResolvedPreset } from '../contract/model.ts';
import { classifyAddress, reservedName } from './address.ts';
import { readHost } from './destination.ts';
import type { FetchChecked, Fetched } from './fetch-checked.ts';
import { digestOf } from './preset-digest.ts';
import type { ConfiguredPlace, RegistryManager } from './registries/registry-manager.ts';

export interface RegistryQuestion {
  manager: RegistryManager;
  /** What its commands printed in the image, in their order. */
  outputs: readonly string[];
  /** The last result, if there is one. */
  previous: ResolvedPreset | null;
  /** Whether the rule that names the preset allows private addresses. */
  allowPrivate: boolean;
  fetchChecked: FetchChecked;
  /** ISO 8601. */
  now: string;
}

const most = { places: 8, hosts: 32, bytes: 262_144 };

/** What asking one place brought. */
interface Asked {
  place: ConfiguredPlace;
  files: URL[];
  /** Why where files are served from could not be found out. */
  problem: string | null;
}

const redirect = (status: number, location: string | null): string[] =>
  status >= 300 && status < 400 && location !== null ? [location] : [];

const filesIn = (answer: Extract<Fetched, { ok: true }>, manager: RegistryManager, asked: URL): URL[] => {
  const texts = [
    ...redirect(answer.status, answer.location),
    ...(answer.status < 300 ? manager.files(answer.body).filter((text) => text !== '') : []),
  ];
  return texts
    .flatMap((text) => (URL.canParse(text, asked.href) ? [new URL(text, asked)] : []))
    .filter(({ protocol }) => /^https?:$/.test(protocol));
};

const askPlace = async (place: ConfiguredPlace, { manager, allowPrivate, fetchChecked }: RegistryQuestion): Promise<Asked> => {
  const question = manager.followUp(place);
  if (question === null) return { place, files: [], problem: null };
  const answer = await fetchChecked({ ...question, maxBytes: most.bytes, allowPrivate });
  if (!answer.ok) return { place, files: [], problem: answer.detail };
  const problem = answer.status >= 400 ? `${place.url.host} answered ${answer.status}.` : null;
  return { place, files: filesIn(answer, manager, question.url), problem };
};

const toHost = (url: URL, from: string, uploads: boolean): PresetHost | string => {
  const read = readHost(url.hostname);
  if (!read.ok) return `"${url.hostname}" (${from}) is no host that can be opened.`;
  const isFloor = read.kind === 'name' ? reservedName(read.host) : classifyAddress(read.host.replace(/^\[|\]$/g, '')) === 'special';
  if (isFloor) return `${read.host} (${from}) can never be opened to a sandbox.`;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: read.host, ports: [port], uploads, from };
};

/** The same host once, with all its ports. */
const merge = (hosts: readonly PresetHost[]): PresetHost[] => {
  const merged = new Map<string, PresetHost>();
  for (const host of hosts) {
    const known = merged.get(host.host);
    const ports = [...new Set([...(known?.ports ?? []), ...host.ports])];
    merged.set(host.host, { ...(known ?? host), ports, uploads: host.uploads || known?.uploads === true });
  }
  return [...merged.values()].slice(0, most.hosts);
};

const split = (found: readonly (PresetHost | string)[]): { hosts: PresetHost[]; notes: string[] } => ({
  hosts: found.filter((one): one is PresetHost => typeof one !== 'string'),
  notes: [...new Set(found.filter((one): one is string => typeof one === 'string'))],
});

/** Hosts of files that were found before by the same configuration, when this time nothing could be found out. */
const knownFiles = ({ previous, manager }: RegistryQuestion, configured: readonly PresetHost[]): PresetHost[] => {
  const before = previous?.hosts.filter(({ from }) => from !== manager.filesFrom).map(({ host }) => host) ?? [];
  const isSame = configured.length > 0 && configured.every(({ host }) => before.includes(host));
  return isSame ? (previous?.hosts.filter(({ from }) => from === manager.filesFrom) ?? []) : [];
};

const stateOf = (problems: readonly string[], lastKnown: readonly PresetHost[]): ResolvedPreset['state'] => {
  if (problems.length === 0) return 'current';
  return lastKnown.length > 0 ? 'last_known' : 'configured_only';
};

/** Resolves one preset. Never rejects for a registry's sake: what could not be asked is a note. */
export const resolveRegistry = async (question: RegistryQuestion): Promise<ResolvedPreset> => {
  const { manager, outputs, now } = question;
  const places = manager.configured(outputs).slice(0, most.places);
  const asked = await Promise.all(places.map((place) => askPlace(place, question)));
  const configured = split(places.map(({ url, from, uploads }) => toHost(url, from, uploads)));
  const served = split(asked.flatMap(({ files }) => files.map((url) => toHost(url, manager.filesFrom, false))));
  const problems = asked.flatMap(({ problem }) => problem ?? []);
  const lastKnown = problems.length > 0 ? knownFiles(question, configured.hosts) : [];
  const hosts = merge([...configured.hosts, ...served.hosts, ...lastKnown]);
  const absent = places.length === 0 ? [`${manager.id} is not in the image, or names no registry.`] : [];
  return {
    id: manager.id,
    revision: digestOf(hosts),
    source: `asked ${manager.id} in the image`,
    resolved_at: now,
    state: stateOf(problems, lastKnown),
    hosts,
    notes: [...absent, ...configured.notes, ...served.notes, ...problems],
  };
};
