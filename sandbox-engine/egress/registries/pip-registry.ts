// pip and uv. Both print the index that they would use in their help, the built-in one or the configured one.
// Source: pip docs, "Configuration"; PEP 503 (simple index: a page of links); PEP 691 (the same as JSON).
import { below, type ConfiguredPlace, groupsIn, placesOf, type RegistryManager, readJson } from './registry-manager.ts';

const linksIn = (body: string): string[] => {
  const json = readJson(body) as { files?: unknown } | null;
  if (Array.isArray(json?.files)) return json.files.map((file: { url?: unknown } | null) => String(file?.url ?? ''));
  return groupsIn(body, /<a\s[^>]*?href\s*=\s*["']([^"']+)["']/gi);
};

/** How pip and uv are asked. */
export const pipRegistry: RegistryManager = {
  id: 'pip',
  commands: [
    'for p in pip pip3; do command -v $p >/dev/null && { COLUMNS=1000 $p install --help; $p config list; break; }; done',
    'command -v uv >/dev/null && { COLUMNS=1000 uv pip install --help; cat /etc/uv/uv.toml ~/.config/uv/uv.toml 2>/dev/null; }',
  ],
  configured: ([pip = '', uv = '']): ConfiguredPlace[] => [
    ...placesOf(groupsIn(pip, /--index-url <url>\s.*?\(default\s+(\S+?)\)/g), "pip's index", true),
    ...placesOf(
      groupsIn(pip, /^\S*\.(?:extra-)?index-url='([^']*)'$/gm).flatMap((value) => value.split(/[\s\\n]+(?=https?:)/)),
      'pip config',
      true,
    ),
    ...placesOf(groupsIn(uv, /--default-index .*?\(by default: <?(https?:[^\s>)]+)/gs), "uv's index", true),
    ...placesOf(groupsIn(uv, /\[env: UV_(?:DEFAULT_INDEX|INDEX|INDEX_URL|EXTRA_INDEX_URL)=(https?:[^\s\]]+)/g), "uv's variables", true),
    ...placesOf(groupsIn(uv, /^\s*(?:url|index-url)\s*=\s*"([^"]+)"/gm), 'uv config', true),
  ],
  followUp: ({ url }) => ({ url: below(url, 'toml/'), accept: 'text/html' }),
  files: linksIn,
  filesFrom: "pip's files",
};
