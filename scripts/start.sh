#!/usr/bin/env bash
# npm start: brings dependencies, builds, finds a container runtime or installs and starts Docker, and opens the app.
#   --yes      agree beforehand to what it would ask
#   --browser  in a browser, even where Electron could run
#   --port N   the port of the page in a browser
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/say.sh
source scripts/apt-packages.sh
source scripts/prepare.sh
source scripts/runtimes.sh

assume_yes='' browser='' door=()
while [ $# -gt 0 ]; do
  case $1 in
    --yes | -y) assume_yes=1 ;;
    --browser) browser=1 ;;
    --port) door+=(--port "${2:?--port needs a number}") && shift ;;
    *) fail "unknown option $1; there are --yes, --browser, --port N." ;;
  esac
  shift
done

# Brings a runtime only where none answers. What is there is used as it is.
bring_runtime() {
  if reachable docker >/dev/null || reachable podman >/dev/null; then return 0; fi
  if have podman && ! have dockerd; then return 0; fi # The app starts Podman's service itself.
  install_packages docker base
  reachable docker >/dev/null && return 0
  confirm 'start Docker on this machine; it stays running after Sandlot ends'
  start_machine_docker
}

has_display() { [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; }
electron_binary() { echo "node_modules/electron/dist/electron"; }

fetch_electron() { timeout 120 node node_modules/electron/install.js >/dev/null 2>&1 </dev/null; }

# Electron needs a display, an ordinary user and its binary, which is fetched once; else it says why and the browser serves.
electron_is_ready() {
  [ -z "$browser" ] || return 1
  has_display || { say 'No display: Sandlot opens in a browser.'; return 1; }
  [ "$(id -u)" -ne 0 ] || { say 'Electron does not run as root: Sandlot opens in a browser.'; return 1; }
  if [ ! -x "$(electron_binary)" ]; then
    say 'Fetching Electron (once, at most two minutes).'
    patient 'fetching Electron' fetch_electron || true
  fi
  [ -x "$(electron_binary)" ] || { say 'Electron could not be fetched: Sandlot opens in a browser.'; return 1; }
  if ldd "$(electron_binary)" | grep -q 'not found'; then
    say "Electron misses libraries of this machine: $(ldd "$(electron_binary)" | awk '/not found/ { printf "%s ", $1 }'). Sandlot opens in a browser."
    return 1
  fi
}

check_node
[ -n "${npm_config_nodedir:-}" ] || node_headers
if [ ! -f node_modules/.sandlot-lock ]; then install_packages build; fi
prepare_dependencies
prepare_build
bring_runtime

if electron_is_ready; then exec "$(electron_binary)" .; fi
if has_display; then
  door+=(--open)
else
  say 'Open the address that follows in a browser on this machine; it works once. While Sandlot runs here, Ctrl-C ends it, and its sessions go on.'
fi
exec node dist/app/headless.js "${door[@]}"
