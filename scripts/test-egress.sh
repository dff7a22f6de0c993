#!/usr/bin/env bash
# npm run test:egress: everything about the network of sandboxes, at the proxy's sockets and inside real sandboxes on Docker and Podman.
# Every id of the corpus (test/egress/corpus-ids.ts) must be passed by some test; those that are not are named.
# The last line of stdout counts the cases that were tried and that passed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/say.sh
source scripts/apt-packages.sh
source scripts/prepare.sh
source scripts/runtimes.sh

assume_yes=1
scratch=$(mktemp -d /tmp/sandlot-egress.XXXXXX)
last='0 cases tried, 0 passed'
clean_up() {
  local status=$?
  trap - EXIT INT TERM HUP
  stop_private
  rm -rf "$scratch"
  echo "$last"
  exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

check_node
install_packages build docker podman base test
prepare_dependencies
prepare_build
export SANDLOT_HOME=$scratch/home
SANDLOT_TEST_DOCKER=$(reachable docker) || { start_private_docker; SANDLOT_TEST_DOCKER=$private_docker; }
SANDLOT_TEST_PODMAN=$(reachable podman) || { start_private_podman; SANDLOT_TEST_PODMAN=$private_podman; }
ensure_base "$SANDLOT_TEST_DOCKER"
ensure_base "$SANDLOT_TEST_PODMAN"
export SANDLOT_TEST_DOCKER SANDLOT_TEST_PODMAN
export DOCKER_HOST=unix://$SANDLOT_TEST_DOCKER CONTAINER_HOST=unix://$SANDLOT_TEST_PODMAN

reports=()
# run_part NAME PROJECT FILES...: its results are counted in the end.
run_part() {
  local name=$1 project=$2
  shift 2
  reports+=("$scratch/$name.jsonl")
  SANDLOT_TEST_LINES=$scratch/$name.jsonl timed "$name" timeout --kill-after=10 1800 node_modules/.bin/vitest run --project "$project" \
    --reporter=default --reporter=./scripts/test-lines.ts "$@" </dev/null || true
}
# Those that want the processors for themselves, or whose bytes cross a bridge in the clear, come last, one file at a time.
alone=(hog-inside gate-load engine-restart engines-inside gate-over-tcp inside-tcp tcp-session)
run_part sockets unit test/unit/egress test/unit/gate test/unit/engine/preset-book test/unit/engine/egress-book test/unit/engine/kept-names \
  test/unit/session/pure-parts test/house/network-corpus
run_part gates runtime test/runtime/gate test/runtime/podman-of-our-own
run_part sandboxes egress $(printf -- '--exclude test/egress/%s.test.ts ' "${alone[@]}")
run_part alone egress --no-file-parallelism $(printf -- 'test/egress/%s ' "${alone[@]}")

status=0
node --import tsx scripts/count-tests.ts "${reports[@]}" >"$scratch/count" || status=$?
read -r passed _ failed _ <"$scratch/count"
node --import tsx test/egress/count-corpus.ts "${reports[@]}" || status=1
last="$((passed + failed)) cases tried, $passed passed"
exit "$status"
