#!/usr/bin/env bash
# npm test: installs and starts what it needs, checks, runs every test on real Docker and real Podman, and leaves the machine as it
# found it (but for the installed packages and the kept base). The last line of stdout counts the tests.
# `npm test -- unit` runs only the named projects (unit, renderer, runtime, browser).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/say.sh
source scripts/apt-packages.sh
source scripts/prepare.sh
source scripts/runtimes.sh

assume_yes=1
projects=("$@")
[ "${#projects[@]}" -gt 0 ] || projects=(unit renderer runtime browser)
scratch=$(mktemp -d /tmp/sandlot-test.XXXXXX)

# Also where it stops early: a run that broke ends with a last line that says so.
last='0 passed, 1 failed, 0 skipped'
clean_up() {
  local status=$?
  trap - EXIT INT TERM HUP
  if [ -n "${compiling:-}" ]; then kill "$compiling" 2>/dev/null || true; fi
  timed 'putting the machine back' stop_private
  rm -rf "$scratch"
  say "[${SECONDS}s] all"
  echo "$last"
  exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

needs() { case " ${projects[*]} " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }

# Uses a runtime that answers; starts a private one where none does.
bring_docker() {
  SANDLOT_TEST_DOCKER=$(reachable docker) || { start_private_docker; SANDLOT_TEST_DOCKER=$private_docker; }
  ensure_base "$SANDLOT_TEST_DOCKER"
}
bring_podman() {
  SANDLOT_TEST_PODMAN=$(reachable podman) || { start_private_podman; SANDLOT_TEST_PODMAN=$private_podman; }
  ensure_base "$SANDLOT_TEST_PODMAN"
}

# run_tests SECONDS NAME...: the projects of these names that are wanted, in one run. Its results are counted in the end; a run that
# hangs is ended and counts as failed. The limits are far above what a slow machine takes.
run_tests() {
  local limit=$1 name=${*:2} project chosen=()
  for project in "${@:2}"; do
    needs "$project" && chosen+=(--project "$project")
  done
  [ "${#chosen[@]}" -gt 0 ] || return 0
  name=${name// /-}
  reports+=("$scratch/$name.jsonl")
  SANDLOT_TEST_LINES=$scratch/$name.jsonl timed "tests: $name" timeout --kill-after=10 "$limit" node_modules/.bin/vitest run \
    "${chosen[@]}" --reporter=default --reporter=./scripts/test-lines.ts </dev/null || true
}

reports=()
check_node
groups=(build)
if needs runtime || needs browser; then groups+=(docker podman base test); fi
timed 'Debian packages' install_packages "${groups[@]}"
compiling=''
if ! has_dependencies; then
  timed 'dependencies' fetch_dependencies
  compile_dependencies &
  compiling=$!
fi
# What was built now is what the tests of whole processes start.
build_app() { (prepare_build); }
if timed 'build' build_app; then export SANDLOT_TEST_BUILT=1; else reports+=(--failed); fi
timed 'check' bash scripts/check.sh || reports+=(--failed)
[ -z "$compiling" ] || timed 'native modules' wait "$compiling"

# Whatever a test starts by itself must not meet the data of the person who runs it.
export SANDLOT_HOME=$scratch/home
if needs runtime || needs browser; then
  timed 'Docker' bring_docker
  timed 'Podman' bring_podman
  export SANDLOT_TEST_DOCKER SANDLOT_TEST_PODMAN
  export DOCKER_HOST=unix://$SANDLOT_TEST_DOCKER CONTAINER_HOST=unix://$SANDLOT_TEST_PODMAN
fi

run_tests 600 unit renderer
run_tests 1200 runtime
run_tests 600 browser

status=0
node --import tsx scripts/count-tests.ts "${reports[@]}" >"$scratch/count" || status=$?
last=$(cat "$scratch/count")
exit "$status"
