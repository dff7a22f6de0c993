# Sourced. Finds a running Docker or Podman, or starts one. Two kinds of start:
# - start_machine_docker: the machine's own Docker, at its usual socket, as `npm start` needs it; it stays.
# - start_private_docker, start_private_podman: for the tests, on their own socket, storage, bridge and containerd;
#   stop_private takes all of it away again. A daemon that was there before is used as it is and never touched.

docker_places() {
  case ${DOCKER_HOST:-} in unix://*) echo "${DOCKER_HOST#unix://}" ;; esac
  echo /var/run/docker.sock
  echo "${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/docker.sock"
}

podman_places() {
  case ${CONTAINER_HOST:-} in unix://*) echo "${CONTAINER_HOST#unix://}" ;; esac
  echo /run/podman/podman.sock
  echo "${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/podman/podman.sock"
}

# ask_runtime SOCKET ping|has|import|remove [IMAGE [TAR]]
ask_runtime() { node --import tsx scripts/runtime-socket.ts "$@"; }

# reachable docker|podman: prints the first socket that answers.
reachable() {
  local socket
  for socket in $("${1}_places"); do
    if [ -S "$socket" ] && ask_runtime "$socket" ping; then
      echo "$socket"
      return 0
    fi
  done
  return 1
}

# await_socket SOCKET PID LOG: waits until it answers; gives up when the process ends or after 30 seconds.
await_socket() {
  local tries
  for tries in $(seq 150); do
    if [ -S "$1" ] && ask_runtime "$1" ping; then return 0; fi
    kill -0 "$2" 2>/dev/null || as_root kill -0 "$2" 2>/dev/null || break
    sleep 0.2
  done
  tail -n 20 "$3" >&2
  return 1
}

# Without systemd nobody may have mounted the control groups that every runtime needs.
mount_cgroups() {
  if awk '$3 ~ /^cgroup2?$/ { found = 1 } END { exit !found }' /proc/mounts; then return 0; fi
  as_root mount -t cgroup2 none /sys/fs/cgroup || return 0
  [ -z "${private:-}" ] || remember cgroups_mounted 1
}

# ---- The machine's own Docker -------------------------------------------------------------------------------------

await_machine_docker() {
  local tries
  for tries in $(seq 150); do
    reachable docker >/dev/null && return 0
    sleep 0.2
  done
  return 1
}

# Starts the Docker that apt installed, the way this machine starts services; leaves it running.
start_machine_docker() {
  if [ -d /run/systemd/system ]; then
    as_root systemctl start docker >&2
  else
    mount_cgroups
    say 'There is no systemd: starting dockerd in the background. Stop it with: kill $(cat /var/run/docker.pid)'
    as_root sh -c "setsid dockerd --group '$(id -gn)' >/var/log/dockerd.log 2>&1 </dev/null &"
  fi
  patient 'waiting for Docker' await_machine_docker ||
    fail 'Docker does not answer at /var/run/docker.sock; its log is /var/log/dockerd.log, or journalctl -u docker.'
}

# ---- Private daemons for the tests --------------------------------------------------------------------------------

# Everything private lives below this folder; short, because the path of a socket may have 107 bytes only.
private_folder() {
  [ -n "${private:-}" ] && return 0
  stop_abandoned
  private=$(mktemp -d /var/tmp/sandlot-rt.XXXXXX)
  chmod 755 "$private"
  mkdir -p "$private/before"
  echo "owner=$$" >"$private/state"
  remember_machine
}

# Takes down what a killed run left behind: its folder says who owned it and what it started.
stop_abandoned() {
  local folder owner docker_pid podman_pid docker_containerd docker_bridge cgroups_mounted imported_bases
  for folder in /var/tmp/sandlot-rt.*; do
    # Anybody may write in /var/tmp: only what is our own is read.
    [ -d "$folder" ] && [ ! -L "$folder" ] && [ -O "$folder" ] && [ -f "$folder/state" ] || continue
    owner='' docker_pid='' podman_pid='' docker_containerd='' docker_bridge='' cgroups_mounted='' imported_bases=''
    # shellcheck disable=SC1091
    source "$folder/state"
    [ -d "/proc/$owner" ] && continue
    say "Clearing away what an interrupted test run left in $folder."
    private=$folder
    (stop_private)
  done
  private=''
}

# remember NAME VALUE: a variable that the clearing away needs, even when another process does it.
remember() {
  printf -v "$1" '%s' "$2"
  printf '%s=%q\n' "$1" "$2" >>"$private/state"
}

# The part of the machine that daemons leave traces in, as it is before ours start.
remember_machine() {
  cat /proc/sys/net/ipv4/ip_forward >"$private/before/ip_forward"
  firewall_rules >"$private/before/rules"
  nft_tables >"$private/before/nft"
  cgroup_parents >"$private/before/cgroups"
  grep ' /run/netns ' /proc/mounts >"$private/before/netns" || true
}

firewall_rules() {
  local table program
  for program in iptables ip6tables; do
    for table in raw mangle filter nat; do
      as_root "$program" -w 5 -t "$table" -S 2>/dev/null | sed "s/^/$program $table /"
    done
  done
}

nft_tables() { as_root nft list tables 2>/dev/null || true; }
cgroup_parents() { find /sys/fs/cgroup -maxdepth 2 -type d \( -name docker -o -name 'libpod*' -o -name buildkit -o -name machine.slice \) 2>/dev/null | sort; }

# A subnet that no route of this machine touches, so that a private bridge never meets another runtime's.
free_subnet() {
  local third
  for third in $(seq "$1" 254); do
    ip -4 route show table all | grep -q "10\.213\.$third\." || { echo "10.213.$third"; return 0; }
  done
  fail 'no free subnet below 10.213.0.0/16 for a private bridge'
}

start_private_docker() {
  private_folder
  mount_cgroups
  local d=$private/docker subnet firewall=()
  mkdir -p "$d"
  subnet=$(free_subnet 10)
  # A daemon that starts empties Docker's chains. Where another one owns them, ours must keep its hands off the firewall.
  if grep -q -- '-N DOCKER' "$private/before/rules"; then
    firewall=(--iptables=false --ip6tables=false --ip-masq=false)
  fi
  # With an address of its own: else it has the lowest of those of the containers on it, and whenever that one comes or goes all others
  # reach nobody for half a minute.
  as_root ip link add sandlot-d0 address 02:53:4c:00:00:01 type bridge 2>/dev/null || fail 'the bridge sandlot-d0 is there already: another test run is under way.'
  remember docker_bridge sandlot-d0
  as_root ip addr add "$subnet.1/24" dev sandlot-d0
  as_root ip link set sandlot-d0 up
  if [ "${#firewall[@]}" -gt 0 ]; then
    as_root iptables -w 5 -t nat -A POSTROUTING -s "$subnet.0/24" ! -o sandlot-d0 -j MASQUERADE
    as_root iptables -w 5 -I FORWARD -i sandlot-d0 -j ACCEPT
    as_root iptables -w 5 -I FORWARD -o sandlot-d0 -j ACCEPT
    echo 1 | as_root tee /proc/sys/net/ipv4/ip_forward >/dev/null
  fi
  printf 'version = 2\nroot = "%s/c"\nstate = "%s/cs"\ndisabled_plugins = ["io.containerd.grpc.v1.cri"]\n[grpc]\naddress = "%s/c.sock"\n' \
    "$d" "$d" "$d" >"$d/containerd.toml"
  echo '{}' >"$d/daemon.json"
  remember docker_containerd "$(run_daemon "$d/containerd.log" containerd --config "$d/containerd.toml")"
  remember docker_pid "$(run_daemon "$d/dockerd.log" dockerd --host "unix://$d/d.sock" --data-root "$d/data" --exec-root "$d/exec" \
    --pidfile "$d/pid" --config-file "$d/daemon.json" --containerd "$d/c.sock" --bridge sandlot-d0 --group "$(id -gn)" "${firewall[@]}")"
  await_socket "$d/d.sock" "$docker_pid" "$d/dockerd.log" || fail 'the private dockerd did not start; its last lines stand above.'
  private_docker=$d/d.sock
}

# run_daemon LOG COMMAND...: starts it as root, apart from our terminal, and prints its process id.
run_daemon() {
  local log=$1
  shift
  # shellcheck disable=SC2016
  as_root sh -c 'log=$1; shift; setsid "$@" >"$log" 2>&1 </dev/null & echo $!' sh "$log" "$@"
}

# Podman's own defaults fail on a small machine: see RUNTIMES in docs. nofile must not be over the hard limit; runc takes hybrid control groups.
write_containers_conf() {
  local nofile
  nofile=$(ulimit -Hn)
  [ "$nofile" != unlimited ] && [ "$nofile" -lt 1048576 ] || nofile=1048576
  cat >"$1/containers.conf" <<CONF
[containers]
default_ulimits = ["nofile=$nofile:$nofile", "nproc=32768:32768"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "$1/tmp"
[network]
default_network = "sandlot-test"
network_config_dir = "$1/networks"
CONF
  cat >"$1/storage.conf" <<CONF
[storage]
driver = "overlay"
runroot = "$1/run"
graphroot = "$1/data"
CONF
}

start_private_podman() {
  private_folder
  mount_cgroups
  local d=$private/podman subnet
  mkdir -p "$d/networks" "$d/tmp"
  write_containers_conf "$d"
  subnet=$(free_subnet 20)
  cat >"$d/networks/sandlot-test.json" <<JSON
{ "name": "sandlot-test", "id": "$(printf 'sandlot-test' | sha256sum | cut -c1-64)", "driver": "bridge", "network_interface": "sandlot-p0",
  "created": "2026-01-01T00:00:00Z", "subnets": [{ "subnet": "$subnet.0/24", "gateway": "$subnet.1" }],
  "ipv6_enabled": false, "internal": false, "dns_enabled": false, "ipam_options": { "driver": "host-local" } }
JSON
  remember podman_pid "$(run_daemon "$d/podman.log" env -C "$d" TMPDIR="$d/tmp" CONTAINERS_CONF="$d/containers.conf" CONTAINERS_STORAGE_CONF="$d/storage.conf" \
    podman system service --time=0 "unix://$d/p.sock")"
  local tries
  for tries in $(seq 50); do [ -S "$d/p.sock" ] && break; sleep 0.2; done
  [ "$(id -u)" -eq 0 ] || as_root chown "$(id -u)" "$d/p.sock"
  await_socket "$d/p.sock" "$podman_pid" "$d/podman.log" || fail 'the private podman service did not start; its last lines stand above.'
  private_podman=$d/p.sock
}

# ---- The base -----------------------------------------------------------------------------------------------------

base_image=debian:bookworm-slim

# Makes the base once with mmdebstrap from the machine's own package mirror, and keeps it.
base_archive() {
  local folder archive
  folder=$(cache_folder)
  archive=$folder/debian-bookworm-minbase.tar
  if [ ! -s "$archive" ]; then
    mkdir -p "$folder"
    say 'Bootstrapping a Debian base image from the package mirror; kept for the next time.'
    patient 'bootstrapping the base image' as_root mmdebstrap --quiet --format=tar --variant=minbase bookworm "$archive.new" </dev/null >&2 || fail 'mmdebstrap could not make the base image.'
    as_root chown "$(id -u):$(id -g)" "$archive.new"
    mv "$archive.new" "$archive"
  fi
  echo "$archive"
}

# ensure_base SOCKET: imports the base where it is absent; what was imported is remembered in imported_bases.
ensure_base() {
  ask_runtime "$1" has "$base_image" && return 0
  local archive
  archive=$(base_archive) || exit 1
  ask_runtime "$1" import "$base_image" "$archive" || fail "could not import $base_image at $1"
  imported_bases="${imported_bases:-} $1"
}

# ---- The end ------------------------------------------------------------------------------------------------------

# is_ours PID: a process id may belong to somebody else by now; ours name the private folder.
is_ours() { as_root cat "/proc/$1/cmdline" 2>/dev/null | tr '\0' ' ' | grep -qF "$private/"; }

# stop_daemon PID...: TERM, up to ten seconds of patience, KILL.
stop_daemon() {
  local pid tries
  for pid in "$@"; do is_ours "$pid" && as_root kill "$pid" 2>/dev/null; done
  for pid in "$@"; do
    for tries in $(seq 50); do
      is_ours "$pid" || break
      sleep 0.2
    done
    is_ours "$pid" && as_root kill -9 "$pid" 2>/dev/null
  done
  return 0
}

# Ends what still runs out of the private folder: conmon and shims outlive their daemon.
stop_leftovers() {
  local entry pid
  for entry in /proc/[0-9]*; do
    pid=${entry#/proc/}
    [ "$pid" != "$$" ] && as_root cat "$entry/cmdline" 2>/dev/null | tr '\0' ' ' | grep -q "conmon.*$private/\|shim.*$private/" || continue
    as_root kill -9 "$pid" 2>/dev/null || true
  done
}

# Every step is tried, whatever became of the one before.
stop_private() {
  local socket
  set +e
  for socket in ${imported_bases:-}; do
    case $socket in "${private:-/none}"/*) ;; *) ask_runtime "$socket" remove "$base_image" || true ;; esac
  done
  [ -n "${private:-}" ] || return 0
  if [ -n "${podman_pid:-}" ]; then
    as_root env CONTAINERS_CONF="$private/podman/containers.conf" CONTAINERS_STORAGE_CONF="$private/podman/storage.conf" \
      timeout 60 podman rm --all --force --time 0 >/dev/null 2>&1 || true
  fi
  stop_daemon ${docker_pid:-} ${podman_pid:-}
  stop_daemon ${docker_containerd:-}
  stop_leftovers
  restore_machine
  as_root rm -rf --one-file-system "$private"
  private='' docker_pid='' podman_pid='' docker_containerd=''
}

# Takes away mounts, bridges, firewall rules and control groups that were not there before.
restore_machine() {
  local point
  awk -v below="$private/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r | while read -r point; do as_root umount -l "$point"; done
  [ -n "${docker_bridge:-}" ] && as_root ip link del "$docker_bridge" 2>/dev/null
  as_root ip link del sandlot-p0 2>/dev/null
  [ -s "$private/before/netns" ] || as_root umount -l /run/netns 2>/dev/null # Podman keeps its network namespaces there.
  restore_firewall
  restore_cgroups
  as_root tee /proc/sys/net/ipv4/ip_forward <"$private/before/ip_forward" >/dev/null
  if [ "${cgroups_mounted:-}" = 1 ]; then as_root umount /sys/fs/cgroup 2>/dev/null; fi
  return 0
}

# Undoes what was added: rules first, then chains, then policies. A line that names our bridges is ours, whenever it was made;
# one that names a runtime's chain only where that runtime had no chain before.
restore_firewall() {
  local program table kind rest runtimes=nothing
  grep -q -- '-N DOCKER' "$private/before/rules" || runtimes=DOCKER
  grep -q -- '-N NETAVARK' "$private/before/rules" || runtimes="$runtimes|NETAVARK"
  firewall_rules >"$private/rules"
  {
    grep -E -- 'sandlot-[dp]0|10\.213\.' "$private/rules"
    grep -vxF -f "$private/before/rules" "$private/rules" | grep -E -- "$runtimes" | grep -vE -- 'sandlot-[dp]0|10\.213\.'
  } >"$private/added"
  while read -r program table kind rest; do
    # shellcheck disable=SC2086
    [ "$kind" = -A ] && eval as_root "$program" -w 5 -t "$table" -D $rest 2>/dev/null
  done <"$private/added"
  while read -r program table kind rest; do [ "$kind" = -N ] && as_root "$program" -w 5 -t "$table" -X "$rest" 2>/dev/null; done <"$private/added"
  grep -- ' -P ' "$private/before/rules" | grep -vxF -f "$private/rules" | while read -r program table kind rest; do
    # shellcheck disable=SC2086
    as_root "$program" -w 5 -t "$table" -P $rest
  done
  if nft_tables | grep -q 'table inet netavark' && ! grep -q 'table inet netavark' "$private/before/nft"; then as_root nft delete table inet netavark; fi
  return 0
}

restore_cgroups() {
  local parent
  cgroup_parents | grep -vxF -f "$private/before/cgroups" | while read -r parent; do
    as_root find "$parent" -depth -type d -exec rmdir {} + 2>/dev/null
  done
  return 0
}
