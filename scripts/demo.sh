#!/usr/bin/env bash
# npm run demo: the main job without questions: template, environment, build, boot test, pin, session, a command inside, clean-up.
#   --runtime docker|podman   which one (docker where nothing is said)
#   --clean                   also forget the environment and its image, so that the next demo begins anew
# Its data folder is kept apart from yours, in the cache; what it built is used again by the next demo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/say.sh
source scripts/apt-packages.sh
source scripts/prepare.sh
source scripts/runtimes.sh

# It asks nothing, as the README says; what it is about to do is printed before it does it.
assume_yes=1
runtime=docker clean='' session=''
while [ $# -gt 0 ]; do
  case $1 in
    --runtime) runtime=${2:?--runtime needs docker or podman} && shift ;;
    --runtime=*) runtime=${1#*=} ;;
    --clean) clean=1 ;;
    *) fail "unknown option $1; there are --runtime docker|podman, --clean." ;;
  esac
  shift
done
case $runtime in docker | podman) ;; *) fail "--runtime is docker or podman, not $runtime." ;; esac

SANDLOT_HOME=$(cache_folder)/demo
export SANDLOT_HOME
mkdir -p "$SANDLOT_HOME"
scratch=$(mktemp -d /tmp/sandlot-demo.XXXXXX)

sandlot() { bin/sandlot "$@" </dev/null; }
# pick EXPRESSION: reads one JSON value, called `it`, and prints what the expression makes of it.
pick() { node -e 'const it = JSON.parse(require("fs").readFileSync(0, "utf8")); const out = eval(process.argv[1]); if (out === undefined) process.exit(1); console.log(out)' "$1"; }

end_demo() {
  local status=$?
  trap - EXIT INT TERM
  [ -z "$session" ] || sandlot session rm "$session" -o json >/dev/null 2>&1 || say "The session $session could not be removed: bin/sandlot session rm $session"
  rm -rf "$scratch"
  [ "$status" -eq 0 ] || say "The demo failed after $SECONDS s."
  exit "$status"
}
trap end_demo EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

step() {
  say ''
  say "== $* (at ${SECONDS}s)"
}

bring_runtime() {
  reachable "$runtime" >/dev/null && return 0
  install_packages "$runtime" base
  # Podman has no daemon: Sandlot starts its service on demand.
  if [ "$runtime" = docker ] && ! reachable docker >/dev/null; then
    confirm 'start Docker on this machine; it stays running after the demo'
    start_machine_docker
  fi
}

check_node
step 'Dependencies and build'
[ -f node_modules/.sandlot-lock ] || install_packages build
prepare_dependencies
prepare_build

step "Runtime: $runtime"
bring_runtime
sandlot doctor -o json >"$scratch/doctor.json" || true
runtime_id=$(pick "it.runtimes.find((one) => one.kind === '$runtime' && one.status === 'connected')?.id" <"$scratch/doctor.json") || {
  sandlot doctor >&2 || true
  fail "no $runtime that can be used; the doctor says why."
}
say "using $runtime_id"

step 'Template to environment'
name=demo-$runtime
if environment=$(sandlot env get "$name" -o json 2>/dev/null | pick it.id); then
  say "$name is there from an earlier demo: $environment"
else
  sandlot templates list -o json | pick 'JSON.stringify((it.items.find((one) => !one.definition.setup) ?? it.items[0]).definition)' >"$scratch/environment.yml"
  environment=$(sandlot env create --file "$scratch/environment.yml" --name "$name" --runtime "$runtime_id" -o json | pick it.id)
  say "$name: $environment"
fi

step 'Build and boot test'
sandlot build "$environment" -o json >"$scratch/build.json"
build=$(pick it.id <"$scratch/build.json")
say "$(pick '`${it.id} ${it.status}, boot test ${it.boot_test === null ? "not run" : it.boot_test.passed ? "passed" : "failed"}${it.reused_build_id ? ", the same as " + it.reused_build_id : ""}`' <"$scratch/build.json")"

step 'Pin'
sandlot pin "$build" -o json >"$scratch/pin.json"
say "$(pick '`${it.action}: ${it.image_id}`' <"$scratch/pin.json")"

step 'Session'
session=$(sandlot session launch "$environment" -o json | pick it.id)
say "$session"

step 'A command inside'
# shellcheck disable=SC2016
sandlot session exec "$session" -- sh -c '. /etc/os-release; echo "hello from $PRETTY_NAME, as $(id -un), in $PWD"'

step 'Clean-up'
sandlot session rm "$session" -o json >/dev/null
session=''
if [ -n "$clean" ]; then
  sandlot env delete "$environment" --yes -o json >/dev/null
  sandlot prune --yes -o json >/dev/null
  say 'The session, the environment and its image are gone.'
else
  say "The session is gone. The environment and its image stay in $SANDLOT_HOME for the next demo; --clean removes them."
fi
say ''
say "Done in ${SECONDS} s."
