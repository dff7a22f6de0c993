// RubyGems and Bundler. gem may read its index from another host than its source says, so it is let say what it would fetch.
// Source: RubyGems guides, "Command reference" (sources); Bundler docs, "bundle config" (mirror).
import { below, type ConfiguredPlace, groupsIn, placesOf, type RegistryManager } from './registry-manager.ts';

// An old version that stays where it is.
const wellKnown = 'gems/rake-13.0.6.gem';

// RubyGems itself, with its one way to fetch replaced by saying what it was asked for.
const sayFetches = `
command -v gem >/dev/null && ruby -e '
require "rubygems/remote_fetcher"
require "rubygems/source"
require "rubygems/resolver"
class Gem::RemoteFetcher
  def fetch_path(uri, *)
    puts "asks #{uri}"
    raise Gem::RemoteFetcher::FetchError.new("not fetched", uri.to_s)
  end
end
Gem.sources.each { |source| Gem::Source.new(source.to_s).dependency_resolver_set }'`;

/** How gem and bundle are asked. */
export const gemRegistry: RegistryManager = {
  id: 'gem',
  commands: ['command -v gem >/dev/null && gem sources --list', sayFetches, 'command -v bundle >/dev/null && bundle config list'],
  configured: ([sources = '', tried = '', bundle = '']): ConfiguredPlace[] => [
    ...placesOf(groupsIn(sources, /^(https?:\S+)$/gm), "gem's sources", true),
    ...placesOf(
      groupsIn(tried, /^asks (https?:\S+)$/gm).flatMap((url) => (URL.canParse(url) ? [new URL('/', url).href] : [])),
      "gem's index",
      false,
    ),
    ...placesOf(groupsIn(bundle, /^\s*Set for [^:]*: "(https?:[^"]+)"$/gm), "bundle's mirrors", true),
  ],
  followUp: ({ url, from }) => (from === "gem's index" ? null : { url: below(url, wellKnown) }),
  files: () => [],
  filesFrom: "gem's archives",
};
