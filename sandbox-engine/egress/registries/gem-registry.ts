// RubyGems and Bundler. gem reads its index from another host than its source says, and names that host when it cannot reach it.
// Source: RubyGems guides, "Command reference" (sources); Bundler docs, "bundle config" (mirror).
import { below, type ConfiguredPlace, groupsIn, placesOf, type RegistryManager } from './registry-manager.ts';

// An old version that stays where it is.
const wellKnown = 'gems/rake-13.0.6.gem';

/** How gem and bundle are asked. */
export const gemRegistry: RegistryManager = {
  id: 'gem',
  commands: [
    'command -v gem >/dev/null && gem sources --list',
    'command -v gem >/dev/null && gem install --verbose --no-document --install-dir "$(mktemp -d)" sandlot-asks 2>&1',
    'command -v bundle >/dev/null && bundle config list',
  ],
  configured: ([sources = '', tried = '', bundle = '']): ConfiguredPlace[] => [
    ...placesOf(groupsIn(sources, /^(https?:\S+)$/gm), "gem's sources", true),
    ...placesOf(
      groupsIn(tried, /(?:\(|\b(?:HEAD|GET) )(https?:[^)\s]+)/g).map((url) => new URL('/', url).href),
      "gem's index",
      false,
    ),
    ...placesOf(groupsIn(bundle, /^\s*Set for [^:]*: "(https?:[^"]+)"$/gm), "bundle's mirrors", true),
  ],
  followUp: ({ url, from }) => (from === "gem's index" ? null : { url: below(url, wellKnown) }),
  files: () => [],
  filesFrom: "gem's archives",
};
