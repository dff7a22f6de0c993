#!/usr/bin/env bash
# npm run bench: measures pairs in one run and writes their ratios to docs/performance.md. `npm run bench -- NAME` runs one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/say.sh
source scripts/apt-packages.sh
source scripts/prepare.sh
source scripts/runtimes.sh

assume_yes=1
trap stop_private EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

check_node
install_packages build docker base test bench
prepare_dependencies
prepare_build
SANDLOT_TEST_DOCKER=$(reachable docker) || { start_private_docker; SANDLOT_TEST_DOCKER=$private_docker; }
ensure_base "$SANDLOT_TEST_DOCKER"
# Podman is measured where one answers already; none is started for it.
if SANDLOT_TEST_PODMAN=$(reachable podman); then
  ensure_base "$SANDLOT_TEST_PODMAN"
  export SANDLOT_TEST_PODMAN
fi
export SANDLOT_TEST_DOCKER DOCKER_HOST=unix://$SANDLOT_TEST_DOCKER
node --import tsx test/bench/run.ts "$@"
