# Sourced by the other scripts: how they speak (always on stderr), ask, and act as root.

say() { printf '%s\n' "$*" >&2; }
fail() { say "sandlot: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# The folder for what is worth keeping between runs: the bootstrapped base, the demo's data.
cache_folder() { printf '%s\n' "${SANDLOT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/sandlot}"; }

# as_root COMMAND...: runs it as root, by sudo where we are not root.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif have sudo; then
    sudo "$@"
  else
    fail "this needs root: $*. Run it as root or install sudo."
  fi
}

# confirm WHAT: yes on a terminal, --yes (assume_yes=1) or CI; without any of them it refuses and says how to agree.
confirm() {
  say "Sandlot is about to $1."
  if [ "${assume_yes:-}" = 1 ] || [ -n "${CI:-}" ]; then return 0; fi
  [ -t 0 ] || fail "nobody to ask: there is no terminal. Run it again with --yes to agree."
  local answer
  read -r -p 'Go on? [y/N] ' answer
  case $answer in [yY]*) ;; *) fail 'stopped; nothing was changed.' ;; esac
}

# patient WHAT COMMAND...: runs it, and says every ten seconds that it goes on: whole lines, in a terminal and in a pipe.
# The one who speaks holds no process of its own and ends with us, however we end.
patient() {
  local what=$1 began=$SECONDS status=0 speaker
  shift
  (
    exec {never}<> <(:)
    for ((ticks = 1; ; ticks++)); do
      read -r -t "${tick_seconds:-1}" -u "$never" || true
      kill -0 "$$" 2>/dev/null || exit 0
      [ $((ticks % 10)) -ne 0 ] || say "  $what: $((SECONDS - began)) s so far"
    done
  ) </dev/null &
  speaker=$!
  "$@" || status=$?
  kill "$speaker" 2>/dev/null || true
  wait "$speaker" 2>/dev/null || true
  [ $((SECONDS - began)) -lt 10 ] || say "  $what: $((SECONDS - began)) s"
  return "$status"
}

# timed NAME COMMAND...: runs it and says how many seconds it took.
timed() {
  local name=$1 began=$SECONDS status=0
  shift
  "$@" || status=$?
  say "[$((SECONDS - began))s] $name"
  return "$status"
}
