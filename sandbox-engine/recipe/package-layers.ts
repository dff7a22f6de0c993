// One script per package manager that the recipe uses, apt first. Each brings its manager by apt when the image has none.
// Entries were checked by package-item.ts and are quoted once more here.
// Source: PEP 668 (externally managed Python), apt-get(8), npm-install, cargo-install, go help install, gem install.
import type { PackageManager, Packages } from '../contract/model.ts';
import { packageManagers } from '../contract/model.ts';
import { quoteShell } from './dockerfile.ts';

const aptInstall = (packages: string): string =>
  [
    'export DEBIAN_FRONTEND=noninteractive',
    'apt-get update',
    `apt-get install -y --no-install-recommends -- ${packages}`,
    'apt-get clean',
    'rm -rf /var/lib/apt/lists/*',
  ].join('\n');

const unlessThere = (command: string, packages: string): string => `if ! ${command} >/dev/null 2>&1; then\n${aptInstall(packages)}\nfi`;

const scripts: Record<PackageManager, (list: string[]) => string> = {
  apt: (list) => aptInstall(list.map(quoteShell).join(' ')),
  cargo: (list) =>
    [
      unlessThere('command -v cargo', 'cargo rustc libc6-dev pkg-config'),
      `cargo install --root /usr/local -- ${list.map(quoteShell).join(' ')}`,
      'rm -rf "${CARGO_HOME:-$HOME/.cargo}/registry" /usr/local/.crates.toml /usr/local/.crates2.json',
    ].join('\n'),
  gem: (list) =>
    [unlessThere('command -v gem', 'ruby ruby-dev build-essential'), `gem install --no-document ${list.map(quoteShell).join(' ')}`].join(
      '\n',
    ),
  go: (list) =>
    [
      unlessThere('command -v go', 'golang-go git'),
      'export GOBIN=/usr/local/bin GOPATH=/tmp/sandlot-go GOCACHE=/tmp/sandlot-go-cache GOFLAGS=-modcacherw',
      // Two modules, or one in two versions, cannot be given to one `go install`.
      ...list.map((item) => `go install ${quoteShell(item.includes('@') ? item : `${item}@latest`)}`),
      'rm -rf /tmp/sandlot-go /tmp/sandlot-go-cache',
    ].join('\n'),
  npm: (list) =>
    [
      unlessThere('command -v npm', 'nodejs npm'),
      `npm install --global --no-fund --no-audit -- ${list.map(quoteShell).join(' ')}`,
      'npm cache clean --force >/dev/null 2>&1 || true',
    ].join('\n'),
  pip: (list) => {
    const items = list.map(quoteShell).join(' ');
    return [
      // As variables: an older pip that does not know an option ignores its variable.
      'export PIP_BREAK_SYSTEM_PACKAGES=1 PIP_ROOT_USER_ACTION=ignore PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1',
      'if ! python3 -m pip --version >/dev/null 2>&1 && command -v uv >/dev/null 2>&1; then',
      `uv pip install --system --break-system-packages --no-cache -- ${items}`,
      'else',
      unlessThere('python3 -m pip --version', 'python3 python3-pip'),
      `python3 -m pip install -- ${items}`,
      'fi',
    ].join('\n');
  },
};

/** The layers of a recipe's packages, apt first and the others in the contract's order; managers without entries have none. */
export const packageLayers = (packages: Packages): { name: string; script: string }[] =>
  packageManagers
    .filter((manager) => packages[manager].length > 0)
    .map((manager) => ({ name: `${manager} packages`, script: scripts[manager](packages[manager]) }));
