#!/usr/bin/env bash
# Everything that can be said about the code without running it: one line a class, all classes are run, any failure fails.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$PWD/node_modules/.bin:$PATH"
failed=()
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# check NAME COMMAND...: prints the command's output only when it fails.
check() {
  local name=$1 began=$SECONDS
  shift
  if "$@" >"$log" 2>&1; then
    printf 'ok    %-38s %3ss\n' "$name" "$((SECONDS - began))"
  else
    failed+=("$name")
    cat "$log"
    printf 'FAIL  %-38s %3ss\n' "$name" "$((SECONDS - began))"
  fi
}

check 'format, lint, size, names (biome)' biome check --max-diagnostics=100 .
check 'promises (oxlint, type-aware)' oxlint --type-aware --deny-warnings .
check 'types, one project a room (tsc -b)' tsc -b
check 'import rules (dependency-cruiser)' depcruise --config .dependency-cruiser.cjs sandbox-engine main preload renderer test
check 'dead code (knip)' knip --no-progress

if [ "${#failed[@]}" -gt 0 ]; then
  printf 'check: %s of 5 failed: %s\n' "${#failed[@]}" "$(IFS=';' && echo "${failed[*]}")" >&2
  exit 1
fi
echo 'check: all 5 passed'
