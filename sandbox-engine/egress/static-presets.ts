// Presets that are data: the hosts of code hosts, as each documents them. They drift, so each carries the date on which it was read.
// Registries of packages are not here: nobody but the tool in the image knows which one it is configured to use.
import type { PresetHost, PresetId, ResolvedPreset } from '../contract/model.ts';

interface StaticPreset {
  /** The day on which the source was read. */
  date: string;
  hosts: string[];
  /** Those of them through which data can be sent away. */
  uploads: string[];
}

const data = {
  // Source: GitHub docs, "Communicating with self-hosted runners" and "About Git large file storage"; `GET /meta`, key `domains`.
  github: {
    date: '2026-11-29',
    hosts: [
      'github.com',
      'api.github.com',
      'codeload.github.com',
      'raw.githubusercontent.com',
      'objects.githubusercontent.com',
      'release-assets.githubusercontent.com',
      'uploads.github.com',
    ],
    uploads: ['github.com', 'api.github.com', 'uploads.github.com'],
  },
  'github-lfs': {
    date: '2026-11-29',
    hosts: ['github-cloud.githubusercontent.com', 'github-cloud.s3.amazonaws.com', 'media.githubusercontent.com'],
    uploads: ['github-cloud.githubusercontent.com', 'github-cloud.s3.amazonaws.com'],
  },
  // Source: GitLab docs, "GitLab.com settings".
  gitlab: { date: '2026-11-29', hosts: ['gitlab.com'], uploads: ['gitlab.com'] },
} satisfies Partial<Record<PresetId, StaticPreset>>;

type StaticPresetId = keyof typeof data;

/** The ids of presets that are data. */
export const staticPresetIds = Object.keys(data) as StaticPresetId[];

const isStatic = (id: PresetId): id is StaticPresetId => Object.hasOwn(data, id);

/** A built-in preset as this version of Sandlot knows it; null when the preset is not built in. */
export const staticPreset = (id: PresetId): ResolvedPreset | null => {
  if (!isStatic(id)) return null;
  const { date, hosts, uploads }: StaticPreset = data[id];
  return {
    id,
    revision: date,
    source: `built in, as documented on ${date}`,
    resolved_at: null,
    state: 'current',
    hosts: hosts.map((host): PresetHost => ({ host, ports: [443], uploads: uploads.includes(host), from: `preset ${id}` })),
    notes: [],
  };
};
