// The kinds of failure that hints know: each looks at the exit code and the end of stderr.
import type { Hint, HintInput } from './hints.ts';

export type HintRule = (input: HintInput) => Hint | null;

const again = 'Change the script, then run setup again.';

/** A rule from a pattern over stderr; `$1` and `$2` in the hint are the pattern's groups. */
const when =
  (code: string, pattern: RegExp, hint: string, nextAction: string = again): HintRule =>
  ({ stderrTail }) => {
    const found = pattern.exec(stderrTail);
    if (found === null) return null;
    const fill = (text: string): string => text.replace(/\$([12])/g, (_, group: string) => found[Number(group)] ?? '');
    return { code, hint: fill(hint), nextAction: fill(nextAction) };
  };

/** Debian packages of commands that scripts often miss. */
const packageOf: Record<string, string> = {
  curl: 'curl',
  wget: 'wget',
  git: 'git',
  make: 'make',
  gcc: 'build-essential',
  cc: 'build-essential',
  'g++': 'build-essential',
  jq: 'jq',
  unzip: 'unzip',
  zip: 'zip',
  python: 'python-is-python3',
  python3: 'python3',
  pip: 'python3-pip',
  pip3: 'python3-pip',
  node: 'nodejs',
  npm: 'npm',
  cargo: 'cargo',
  rustc: 'rustc',
  go: 'golang-go',
  java: 'default-jre-headless',
  javac: 'default-jdk-headless',
  gem: 'ruby',
  ruby: 'ruby',
  cmake: 'cmake',
  'pkg-config': 'pkg-config',
  xz: 'xz-utils',
  ping: 'iputils-ping',
  ssh: 'openssh-client',
  rsync: 'rsync',
  file: 'file',
  gpg: 'gnupg',
  lsb_release: 'lsb-release',
  vim: 'vim',
  nano: 'nano',
  less: 'less',
  psql: 'postgresql-client',
  sqlite3: 'sqlite3',
  nc: 'netcat-openbsd',
  dig: 'dnsutils',
  htop: 'htop',
  tree: 'tree',
  ffmpeg: 'ffmpeg',
  sudo: 'sudo',
  bc: 'bc',
  time: 'time',
};

const commandNotFound: HintRule = ({ exitCode, stderrTail }) => {
  const found = /(?:^|\n)(?:[^\n]*?: )?(?:line \d+: )?([^\s:]+): (?:command )?not found\b/.exec(stderrTail);
  if (found === null || (exitCode !== 127 && !/command not found/.test(stderrTail))) return null;
  const name = found[1] ?? '';
  const needed = packageOf[name];
  return needed === undefined
    ? {
        code: 'command_not_found',
        hint: `The command "${name}" is not installed, or not on the PATH.`,
        nextAction: `Install what brings "${name}" earlier in the script or in the recipe.`,
      }
    : {
        code: 'command_not_found',
        hint: `The command "${name}" is not installed; Debian's package is "${needed}".`,
        nextAction: `Add "${needed}" to the recipe's apt packages, or before this line: sudo apt-get install -y ${needed}`,
      };
};

const networkWords =
  /Temporary failure (?:in name resolution|resolving)|Could not resolve|Name or service not known|Network is unreachable|unable to resolve host|getaddrinfo|EAI_AGAIN|\bENOTFOUND\b|no such host|Failed to establish a new connection|dns error|Connection refused|Could not connect/i;

/** The network name that an error speaks of. */
const destinationIn = (text: string): string | null =>
  /(?:resolv(?:e|ing)(?: host)?:? ['"‘]?|host=['"]|https?:\/\/)([a-z0-9.-]+\.[a-z]{2,})/i.exec(text)?.[1] ?? null;

const egressBlocked: HintRule = ({ network, stderrTail }) => {
  if (network !== 'none' || !networkWords.test(stderrTail)) return null;
  const name = destinationIn(stderrTail);
  const what = name === null ? 'the network' : name;
  return {
    code: 'egress_blocked',
    hint: `The script tried to reach ${what}, but this environment has no network.`,
    nextAction: `Allow ${what} in the network policy, or put what it downloads into the recipe; then run setup again.`,
  };
};

const dns: HintRule = ({ network, stderrTail }) => {
  if (
    network === 'none' ||
    !/Temporary failure (?:in name resolution|resolving)|Could not resolve|Name or service not known|EAI_AGAIN|\bENOTFOUND\b|no such host/i.test(
      stderrTail,
    )
  )
    return null;
  const name = destinationIn(stderrTail);
  return {
    code: 'dns',
    hint: `The name ${name ?? 'of a server'} could not be resolved.`,
    nextAction: 'Check the spelling and the connection of this machine, then run setup again.',
  };
};

const outOfMemory: HintRule = ({ exitCode, oomKilled, stderrTail, memoryBytes }) => {
  const said = /Cannot allocate memory|MemoryError|out of memory|heap out of memory|std::bad_alloc/i.test(stderrTail);
  if (!oomKilled && exitCode !== 137 && !said) return null;
  const had = memoryBytes === undefined ? '' : ` It had ${(memoryBytes / 1024 ** 3).toFixed(1)} GiB.`;
  if (!oomKilled && !said)
    return {
      code: 'killed',
      hint: `A command was killed (exit code 137), most often for want of memory.${had}`,
      nextAction: 'Choose a larger size for the environment, or do less at once.',
    };
  return {
    code: 'out_of_memory',
    hint: `The sandbox ran out of memory.${had}`,
    nextAction: 'Choose a larger size for the environment, or do less at once.',
  };
};

const timedOut: HintRule = ({ timedOut: isOver, timeoutSeconds }) =>
  isOver
    ? {
        code: 'timeout',
        hint: `The script took longer than its ${timeoutSeconds} seconds and was ended.`,
        nextAction: 'Raise timeout_seconds (at most 3600), or move slow installs into the recipe.',
      }
    : null;

const byCode =
  (code: string, exitCode: number, hint: string, nextAction: string = again): HintRule =>
  (input) =>
    input.exitCode === exitCode ? { code, hint, nextAction } : null;

const readsInput: HintRule = ({ failedCommand, exitCode, stderrTail }) =>
  (exitCode === 1 && /^(?:IFS=\S* )?read\b/.test(failedCommand ?? '')) ||
  /EOF when reading a line|stdin is not a t(?:erminal|ty)|not a tty|cannot read from stdin|EOFError/i.test(stderrTail)
    ? {
        code: 'needs_input',
        hint: 'This command asks a question, and a setup run has nobody to answer: its input is at the end.',
        nextAction: 'Give the answer on the command line (`-y`, `--yes`, `--non-interactive`), or write the value into the script.',
      }
    : null;

const brokenOff: HintRule = ({ exitCode }) =>
  exitCode === 141
    ? {
        code: 'pipe_closed',
        hint: 'A command in the pipe stopped reading early (141), and `pipefail` counts that as a failure.',
        nextAction:
          'Let the reader read to the end (for example `sed -n 1p` instead of `head -n 1`), or end the line with `|| [ $? -eq 141 ]`.',
      }
    : null;

const permission: HintRule = ({ stderrTail, failedCommand }) => {
  if (!/Permission denied|EACCES|are you root\?|must be (?:run as )?root|requires? superuser|Operation not permitted/i.test(stderrTail))
    return null;
  if (/permission denied \(publickey/i.test(stderrTail)) return null;
  const isRooted = /^sudo\b/.test(failedCommand ?? '');
  return {
    code: 'permission',
    hint: 'The script runs as the sandbox user, who may not do this.',
    nextAction:
      isRooted || failedCommand === null
        ? 'Write below /workspace or your home folder, or change the owner first.'
        : `Use sudo: sudo ${failedCommand.split('\n')[0]}`,
  };
};

/** In the order they are tried. */
export const hintRules: HintRule[] = [
  timedOut,
  when(
    'syntax_error',
    /(?:^|\n)[^\n]*?line (\d+): (syntax error[^\n]*|unexpected EOF[^\n]*)/,
    'Bash cannot read the script: $2 (line $1).',
    'Mend the script at line $1, then run setup again.',
  ),
  when(
    'crlf',
    /\$'\\r'|\\r'?: (?:command )?not found|bad interpreter: [^\n]*\^M|env: [^\n]*\\r|\/bin\/(?:ba)?sh\r/,
    'A file has Windows line ends (CR LF), which its interpreter cannot read.',
    "Convert it first: sed -i 's/\\r$//' FILE",
  ),
  when(
    'externally_managed_python',
    /externally-managed-environment/,
    "Debian's own Python takes no packages from pip.",
    'Use a virtual environment: python3 -m venv /workspace/.venv && /workspace/.venv/bin/pip install …',
  ),
  when(
    'disk_full',
    /No space left on device|ENOSPC|Disk quota exceeded|not enough free space/i,
    'The disk is full.',
    'Remove unused Sandlot images (sandlot prune) or raise disk_gib, then run setup again.',
  ),
  when(
    'apt_locked',
    /Could not get lock ([^\s.]+)|is another process using it|dpkg frontend lock/,
    'Another apt is at work in the sandbox and holds its lock.',
    'Run one apt at a time; wait for one in the background before the next.',
  ),
  when(
    'apt_update_first',
    /E: Unable to locate package (\S+)|E: Package '?([^'\s]+)'? has no installation candidate/,
    'apt does not know the package "$1$2": its lists are empty or old, or the name is wrong.',
    'Put `sudo apt-get update` before this line and check the name.',
  ),
  when(
    'apt_fetch',
    /404 +Not Found|E: Unable to fetch some archives/,
    'A package is no longer on the mirror: the lists of apt are old.',
    'Put `sudo apt-get update` before this line.',
  ),
  when(
    'unsigned_repository',
    /is not signed|NO_PUBKEY|signatures couldn't be verified|EXPKEYSIG/,
    'apt does not trust this package source: its key is missing.',
    "Add the publisher's key to /etc/apt/keyrings and name it with `signed-by=` in the source.",
  ),
  when(
    'clock',
    /Release file [^\n]*not valid yet|certificate is not yet valid|clock skew/i,
    'The clock of the machine is wrong.',
    'Set the clock of this machine (on a laptop: wake up the virtual machine of the runtime), then run setup again.',
  ),
  when(
    'apt_needs_yes',
    /Do you want to continue\?[^\n]*Abort|^Abort\.$/m,
    'apt asked whether to go on, and nobody was there to answer.',
    'Add `-y`: sudo apt-get install -y …',
  ),
  outOfMemory,
  egressBlocked,
  when(
    'certificate',
    /certificate verify failed|SSL certificate problem|self[- ]signed certificate|unable to get local issuer|x509: certificate|CERT_/i,
    'The certificate of a server could not be checked.',
    'Install ca-certificates, or add the certificate of your company to the recipe.',
  ),
  when(
    'git_auth',
    /could not read Username|Authentication failed for|Permission denied \(publickey|Repository not found|terminal prompts disabled/i,
    'Git was not let in: setup runs carry no credentials.',
    'Use a public address, or clone in the session: repositories of the environment are cloned there with its secrets.',
  ),
  when(
    'git_unknown_host',
    /Host key verification failed|authenticity of host/i,
    'The key of the git server is not known in the sandbox.',
    'Use an https address, or add the key: ssh-keyscan SERVER >> ~/.ssh/known_hosts',
  ),
  when(
    'git_ownership',
    /detected dubious ownership in repository at '([^']+)'/,
    'Git refuses the repository at $1, since it belongs to another user.',
    'Give it to the sandbox user: sudo chown -R "$(id -u)" "$1"',
  ),
  dns,
  when(
    'pip_version',
    /No matching distribution found for (\S+)|Could not find a version that satisfies the requirement (\S+)/,
    'pip found no version that fits "$1$2".',
    'Check the name and the version, and which Python is used.',
  ),
  when(
    'npm_version',
    /npm (?:ERR!|error) (?:code )?(ETARGET|E404|ERESOLVE)/,
    'npm found no version that fits ($1).',
    'Check the name and the version of the package.',
  ),
  when(
    'port_in_use',
    /Address already in use|EADDRINUSE/i,
    'The port is taken by another program in the sandbox.',
    'Stop the other program first, or choose another port.',
  ),
  when(
    'wrong_libc',
    /version `(GLIBC_[\d.]+)' not found|ld-musl/,
    'The program was made for another system library.',
    'Install the build for Debian (glibc) of this release, or build it here.',
  ),
  when(
    'architecture',
    /Exec format error|cannot execute binary file/i,
    'The program was made for another kind of processor.',
    'Download the build for this machine: uname -m tells which.',
  ),
  when(
    'missing_header',
    /fatal error: (\S+\.h(?:pp)?): No such file/,
    'A C header is missing: $1.',
    'Install the -dev package that brings $1.',
  ),
  when(
    'missing_compiler',
    /(?:gcc|cc|clang|g\+\+)['"]? failed|No such file or directory: '(?:gcc|cc)'|linker `cc` not found|C compiler cannot|no acceptable C compiler/i,
    'Building needs a C compiler.',
    'Add build-essential to the recipe, or: sudo apt-get install -y build-essential',
  ),
  when(
    'missing_shared_library',
    /error while loading shared libraries: (\S+):/,
    'A shared library is missing: $1.',
    'Install the package that brings $1.',
  ),
  when(
    'missing_module',
    /ModuleNotFoundError: No module named '([^']+)'|Cannot find module '([^']+)'/,
    'The module "$1$2" is not installed.',
    'Install it before this line.',
  ),
  when(
    'connection_refused',
    /Connection refused|Failed to connect|Connection timed out|Connection reset/i,
    'A server did not answer.',
    'Check the address, then run setup again.',
  ),
  when(
    'http_error',
    /requested URL returned error: (\d+)|HTTP Error (\d+)|server returned.*?(\d{3})/i,
    'The server answered with HTTP $1$2.',
    'Check the address, and whether it needs a login.',
  ),
  when(
    'checksum',
    /computed checksum did NOT match|checksum mismatch|hashes? (?:do|does) not match/i,
    'A download is not what its checksum says.',
    'Download it again; when it stays so, it was changed: check where it comes from.',
  ),
  readsInput,
  when(
    'missing_interpreter',
    /required file not found|bad interpreter: No such file/,
    'The program names an interpreter that is not there: a wrong path in its first line, Windows line ends, or a build for another system library.',
    "Look at its first line (head -n 1 FILE | cat -A); remove Windows line ends with: sed -i 's/\\r$//' FILE",
  ),
  byCode('not_executable', 126, 'The file is there but cannot be run.', 'Make it executable (chmod +x FILE), or name its interpreter.'),
  permission,
  when(
    'unbound_variable',
    /(?:line \d+: )?([A-Za-z_]\w*|\d+|[@*]): (?:unbound variable|parameter null or not set)/,
    'The variable $1 is not set.',
    'Set it in the environment variables, or give it a default: ${$1:-value}',
  ),
  commandNotFound,
  brokenOff,
  when('file_exists', /(?:mkdir|ln)[^\n]*: File exists/, 'Something of this name is already there.', 'Use mkdir -p, or ln -sf.'),
  when(
    'no_such_file',
    /(?:^|\n)[^\n]*?['"‘ ]?(\/?[^\s:'"’]+)['"’]?: No such file or directory/,
    'There is no file or folder "$1" in the sandbox.',
    'Check the path: the script begins in /workspace, before any repository is cloned.',
  ),
  when(
    'module_needs_tty',
    /the input device is not a TTY/i,
    'This command wants a terminal, and a setup run has none.',
    'Leave the option for a terminal away.',
  ),
];
