// Commands that are not there, and what brings them.
import type { HintRule } from './hint-kinds.ts';

/** Debian packages of commands that scripts often miss. */
const packageOf = new Map(
  Object.entries({
    'add-apt-repository': 'software-properties-common',
    bc: 'bc',
    bzip2: 'bzip2',
    'c++': 'build-essential',
    cargo: 'cargo',
    cc: 'build-essential',
    cmake: 'cmake',
    curl: 'curl',
    dig: 'dnsutils',
    ffmpeg: 'ffmpeg',
    file: 'file',
    'g++': 'build-essential',
    gcc: 'build-essential',
    gem: 'ruby',
    git: 'git',
    go: 'golang-go',
    gpg: 'gnupg',
    htop: 'htop',
    ip: 'iproute2',
    java: 'default-jre-headless',
    javac: 'default-jdk-headless',
    jq: 'jq',
    less: 'less',
    'locale-gen': 'locales',
    lsb_release: 'lsb-release',
    make: 'make',
    nano: 'nano',
    nc: 'netcat-openbsd',
    node: 'nodejs',
    npm: 'npm',
    npx: 'npm',
    ping: 'iputils-ping',
    pip: 'python3-pip',
    pip3: 'python3-pip',
    'pkg-config': 'pkg-config',
    psql: 'postgresql-client',
    python: 'python-is-python3',
    python3: 'python3',
    rsync: 'rsync',
    ruby: 'ruby',
    rustc: 'rustc',
    sqlite3: 'sqlite3',
    ssh: 'openssh-client',
    time: 'time',
    tree: 'tree',
    unzip: 'unzip',
    vim: 'vim',
    wget: 'wget',
    xz: 'xz-utils',
    zip: 'zip',
  }),
);

const noServices = {
  code: 'no_services',
  hint: 'Nothing manages services in a sandbox: there is no systemd.',
  nextAction: 'Start the program itself, in the script or as a session start command; what runs at the end of setup is ended.',
};

/** What a package alone would not mend. */
const special = new Map(
  Object.entries({
    systemctl: noServices,
    docker: {
      code: 'command_not_found',
      hint: 'There is no Docker inside of a sandbox.',
      nextAction: 'Install what its containers would bring (a database, a tool) with apt, or start it outside of the sandbox.',
    },
    sudo: {
      code: 'command_not_found',
      hint: 'The command "sudo" is not installed, so that nothing can be done as root here.',
      nextAction: 'Add "sudo" to the recipe\'s apt packages, or do this in the recipe, which is built as root.',
    },
  }),
);

// Shells, sudo, env, make and tar each say it in their own way.
const missing = [
  /(?:^|\n)(?:[^\n]*?: )?(?:line \d+: )?([^\s:]+): (?:command )?not found\b/,
  /(?:^|\n)\S*env: ['‘]([^'’\n]+)['’]: No such file or directory/,
  /(?:^|\n)make(?:\[\d+\])?: ([^\s:/]+): No such file or directory/,
  /: ([^\s:]+): Cannot exec: No such file or directory/,
  /(?:^|\n)\S+: line \d+: \/usr\/(?:local\/)?s?bin\/([^\s:/]+): No such file or directory/,
];

/** A command that is not there, with the package that brings it when it is well known. */
export const commandNotFound: HintRule = ({ exitCode, stderrTail }) => {
  if (/System has not been booted with systemd|Failed to connect to bus|: unrecognized service/.test(stderrTail)) return noServices;
  const [plain, ...others] = missing.map((pattern) => pattern.exec(stderrTail)?.[1]);
  const isPlain = plain !== undefined && (exitCode === 127 || /command not found/.test(stderrTail));
  const name = isPlain ? plain : others.find((one) => one !== undefined);
  if (name === undefined) return null;
  const needed = packageOf.get(name);
  return (
    special.get(name) ??
    (needed === undefined
      ? {
          code: 'command_not_found',
          hint: `The command "${name}" is not installed, or not on the PATH.`,
          nextAction: `Install what brings "${name}" earlier in the script or in the recipe.`,
        }
      : {
          code: 'command_not_found',
          hint: `The command "${name}" is not installed; Debian's package is "${needed}".`,
          nextAction: `Add "${needed}" to the recipe's apt packages, or before this line: sudo apt-get install -y ${needed}`,
        })
  );
};
