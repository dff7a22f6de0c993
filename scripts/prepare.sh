#!/usr/bin/env bash
# Brings node_modules and dist up to date, and does nothing where they are. Sourced by the commands, or run by hand.

check_node() {
  have node || fail 'Node 20 is needed and there is no node on the PATH.'
  node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' ||
    fail "Node 20.19 or later is needed; this is $(node --version)."
}

# A native module is compiled against the headers beside node, where they are, so that nothing is downloaded for it.
node_headers() {
  local prefix
  prefix=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
  if [ -z "${npm_config_nodedir:-}" ] && [ -f "$prefix/include/node/node_api.h" ]; then export npm_config_nodedir=$prefix; fi
}

dependencies_stamp=node_modules/.sandlot-lock
wanted_dependencies() { echo "$(sha256sum <package-lock.json) node $(node -p 'process.versions.modules')"; }
has_dependencies() { [ -f "$dependencies_stamp" ] && [ "$(cat "$dependencies_stamp")" = "$(wanted_dependencies)" ]; }

# Packages first, then what is compiled of them: building and checking need only the packages.
fetch_dependencies() {
  say 'Installing the dependencies (npm ci); the first time takes minutes, because some of them are compiled here.'
  patient 'npm ci' npm ci --ignore-scripts --no-audit --no-fund --no-progress --loglevel=error </dev/null >&2 || fail 'npm ci failed; see above.'
}
compile_dependencies() {
  node_headers
  patient 'compiling dependencies' npm rebuild --no-progress --loglevel=error </dev/null >&2 || fail 'npm rebuild failed; see above.'
  wanted_dependencies >"$dependencies_stamp"
}

prepare_dependencies() {
  has_dependencies && return 0
  fetch_dependencies
  compile_dependencies
}

prepare_build() {
  local stamp=dist/.built
  if [ -f "$stamp" ] && [ -z "$(find sandbox-engine main preload renderer assets package-lock.json vite.config.ts vite.host.config.ts tsconfig.base.json \
    -newer "$stamp" -not -type d -print -quit)" ]; then
    return 0
  fi
  say 'Building the app.'
  mkdir -p dist
  touch "$stamp.new"
  patient 'building the app' npm run --silent build -- --logLevel warn </dev/null >&2 || fail 'the build failed; see above.'
  mv "$stamp.new" "$stamp"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  set -euo pipefail
  cd "$(dirname "${BASH_SOURCE[0]}")/.."
  source scripts/say.sh
  check_node
  prepare_dependencies
  prepare_build
fi
