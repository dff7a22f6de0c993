#!/usr/bin/env bash
# npm run test:egress: everything about the network of sandboxes, at the proxy's sockets and inside real sandboxes on Docker and Podman.
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
# run_part NAME PROJECT FILES...: its report is counted in the end.
run_part() {
  local name=$1 project=$2
  shift 2
  reports+=("$scratch/$name.json")
  timed "$name" timeout --kill-after=10 1800 node_modules/.bin/vitest run --project "$project" --reporter=default --reporter=json \
    --outputFile.json="$scratch/$name.json" "$@" </dev/null || true
}
run_part sockets unit test/unit/egress test/unit/gate
run_part gates runtime test/runtime/gate
run_part sandboxes egress

status=0
node --import tsx scripts/count-tests.ts "${reports[@]}" >"$scratch/count" || status=$?
read -r passed _ failed _ <"$scratch/count"
last="$((passed + failed)) cases tried, $passed passed"
exit "$status"
