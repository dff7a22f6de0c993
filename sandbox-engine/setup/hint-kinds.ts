// The kinds of failure that need more than a pattern over stderr: exit codes, the network, what the kernel did.
import type { Hint, HintInput } from './hints.ts';

export type HintRule = (input: HintInput) => Hint | null;

const again = 'Change the script, then run setup again.';

/** A rule from a pattern over stderr; `$1` and `$2` in the hint are the pattern's groups. */
export const when =
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

/** A command that is not there, with the package that brings it when it is well known. */
export const commandNotFound: HintRule = ({ exitCode, stderrTail }) => {
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

/** A destination that the environment is closed to. */
export const egressBlocked: HintRule = ({ network, stderrTail }) => {
  if (network !== 'none' || !networkWords.test(stderrTail)) return null;
  const name = destinationIn(stderrTail);
  const what = name === null ? 'the network' : name;
  return {
    code: 'egress_blocked',
    hint: `The script tried to reach ${what}, but this environment has no network.`,
    nextAction: `Allow ${what} in the network policy, or put what it downloads into the recipe; then run setup again.`,
  };
};

/** A name that could not be resolved although there is a network. */
export const dns: HintRule = ({ network, stderrTail }) => {
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

/** The kernel or the program ran out of memory. */
export const outOfMemory: HintRule = ({ exitCode, oomKilled, stderrTail, memoryBytes }) => {
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

/** The script took longer than it may. */
export const timedOut: HintRule = ({ timedOut: isOver, timeoutSeconds }) =>
  isOver
    ? {
        code: 'timeout',
        hint: `The script took longer than its ${timeoutSeconds} seconds and was ended.`,
        nextAction: 'Raise timeout_seconds (at most 3600), or move slow installs into the recipe.',
      }
    : null;

/** A rule from the exit code alone. */
export const byCode =
  (code: string, exitCode: number, hint: string, nextAction: string = again): HintRule =>
  (input) =>
    input.exitCode === exitCode ? { code, hint, nextAction } : null;

/** A question that nobody can answer. */
export const readsInput: HintRule = ({ failedCommand, exitCode, stderrTail }) =>
  (exitCode === 1 && /^(?:IFS=\S* )?read\b/.test(failedCommand ?? '')) ||
  /EOF when reading a line|stdin is not a t(?:erminal|ty)|not a tty|cannot read from stdin|EOFError/i.test(stderrTail)
    ? {
        code: 'needs_input',
        hint: 'This command asks a question, and a setup run has nobody to answer: its input is at the end.',
        nextAction: 'Give the answer on the command line (`-y`, `--yes`, `--non-interactive`), or write the value into the script.',
      }
    : null;

/** A pipe whose reader stopped early. */
export const brokenOff: HintRule = ({ exitCode }) =>
  exitCode === 141
    ? {
        code: 'pipe_closed',
        hint: 'A command in the pipe stopped reading early (141), and `pipefail` counts that as a failure.',
        nextAction:
          'Let the reader read to the end (for example `sed -n 1p` instead of `head -n 1`), or end the line with `|| [ $? -eq 141 ]`.',
      }
    : null;

/** Something that the sandbox user may not do. */
export const permission: HintRule = ({ stderrTail, failedCommand }) => {
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
