// apt prints every address that an update would read, whatever form its sources have, and the proxy that it would ask.
// Source: apt-get(8), --print-uris; apt-config(8).
import { type ConfiguredPlace, groupsIn, placesOf, type RegistryManager } from './registry-manager.ts';

/** The first address of each host: that of an index, which is always there. */
const onePerHost = (urls: readonly string[]): string[] => {
  const origins = urls.map((url) => (URL.canParse(url) ? new URL(url).origin : null));
  return urls.filter((_url, at) => origins[at] !== null && origins.indexOf(origins[at] ?? null) === at);
};

/** How apt is asked. */
export const aptRegistry: RegistryManager = {
  id: 'apt',
  commands: [
    'command -v apt-get >/dev/null && apt-get update --print-uris',
    "command -v apt-config >/dev/null && apt-config dump | grep -iE '^Acquire::https?::Proxy'",
  ],
  configured: ([uris = '', proxies = '']): ConfiguredPlace[] => [
    ...placesOf(onePerHost(groupsIn(uris, /^'(https?:[^']+)'/gm)), "apt's sources", false),
    ...placesOf(groupsIn(proxies, /"(https?:[^"]+)"/g), "apt's proxy", false),
  ],
  followUp: ({ url, from }) => (from === "apt's sources" ? { url } : null),
  files: () => [],
  filesFrom: "apt's files",
};
