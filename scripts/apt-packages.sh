# Sourced. The one place where a Debian package is named; the names are the same in Debian 12 and 13.
# test/house/packages.test.ts refuses them anywhere else.

# build: sqlite3 and others are compiled where no binary of theirs can be had.
# docker, podman: the runtimes. base: makes a base image without an image registry. test: what only `npm test` needs.
# bench: a rival of the policy proxy.
apt_group() {
  case $1 in
    build) echo python3 make g++ ;;
    docker) echo docker.io mount iproute2 iptables ca-certificates ;;
    podman) echo podman netavark aardvark-dns nftables iproute2 iptables mount runc uidmap catatonit ca-certificates ;;
    base) echo mmdebstrap ;;
    test) echo chromium fonts-liberation openssh-client procps ;;
    bench) echo squid ;;
    *) fail "no such group of packages: $1" ;;
  esac
}

# Names the packages of the groups that are not installed yet.
missing_packages() {
  local group package
  for group in "$@"; do
    for package in $(apt_group "$group"); do
      [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null)" = 'ii ' ] || echo "$package"
    done
  done | sort -u
}

# install_packages GROUP...: installs what is missing, after saying so and (unless agreed before) asking.
# RUNLEVEL=1 keeps a package's init script from starting a daemon of its own; a machine with systemd starts it, as it should.
install_packages() {
  local missing
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "${missing// /}" ] || return 0
  have apt-get || fail "these Debian packages are missing and there is no apt-get: $missing"
  confirm "install these Debian packages: $missing"
  as_root true # A password is asked for here, where nothing else is said.
  apt_update
  # shellcheck disable=SC2086
  patient 'installing Debian packages' \
    as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -q --no-install-recommends $missing </dev/null >&2 ||
    fail "apt-get could not install: $missing"
}

apt_update() {
  [ "${apt_updated:-}" = 1 ] && return 0
  patient 'reading the lists of Debian packages' as_root apt-get update -q </dev/null >&2 || say 'apt-get update failed; going on with the package lists that are there.'
  apt_updated=1
}
