// cargo prints no setting for the index that it uses, but names it when it cannot reach it, replaced sources included; so it is let try
// where there is no network. The index says where crates are downloaded and published.
// Source: Cargo book, "Registry Index" (config.json: dl, api) and "Source Replacement".
import { below, type ConfiguredPlace, groupsIn, placesOf, type RegistryManager, readJson, textAt } from './registry-manager.ts';

const tryToFetch = `
command -v cargo >/dev/null || exit 0
d=$(mktemp -d) && mkdir "$d/src" && cd "$d" && : > src/lib.rs
printf '[package]\\nname = "ask"\\nversion = "0.1.0"\\n[dependencies]\\nsandlot-asks = "1"\\n' > Cargo.toml
CARGO_NET_RETRY=0 CARGO_HTTP_TIMEOUT=5 CARGO_NET_OFFLINE=false cargo fetch 2>&1`;

const readConfig = `
command -v cargo >/dev/null && cat "\${CARGO_HOME:-$HOME/.cargo}/config.toml" "\${CARGO_HOME:-$HOME/.cargo}/config" 2>/dev/null`;

/** How cargo is asked. */
export const cargoRegistry: RegistryManager = {
  id: 'cargo',
  commands: [tryToFetch, readConfig],
  configured: ([tried = '', config = '']): ConfiguredPlace[] => [
    ...placesOf(
      groupsIn(tried, /`((?:sparse\+)?https?:[^`\s]+)`/g).map((url) => url.replace(/config\.json$/, '')),
      "cargo's index",
      false,
    ),
    ...placesOf(groupsIn(config, /^\s*(?:index|registry)\s*=\s*"([^"]+)"/gm), 'cargo config', false),
  ],
  followUp: ({ url }) => ({ url: below(url, 'config.json'), accept: 'application/json' }),
  // The address of downloads may hold places for the crate's name, which say nothing about its host.
  files: (body) => [textAt(readJson(body), 'dl') ?? '', textAt(readJson(body), 'api') ?? ''].map((url) => url.replace(/\{.*$/s, '')),
  filesFrom: "cargo's downloads and API",
};
