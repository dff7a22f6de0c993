// Failures of the tools that install and build: pip, npm, make, compilers, archives.
import { byCommand, type HintRule, when } from './hint-kinds.ts';

export const pythonRules: HintRule[] = [
  when(
    'externally_managed_python',
    /externally-managed-environment/,
    "Debian's own Python takes no packages from pip.",
    'Use a virtual environment: python3 -m venv /workspace/.venv && /workspace/.venv/bin/pip install …',
  ),
];

/** Each of npm's own codes has its meaning. */
const npmRules: HintRule[] = [
  when(
    'npm_conflict',
    /npm (?:ERR!|error) (?:code )?ERESOLVE/,
    'npm found packages that want different versions of one another.',
    'Choose versions that fit, or let npm take them as they are: npm install --legacy-peer-deps',
  ),
  when(
    'npm_version',
    /npm (?:ERR!|error) (?:code )?(ETARGET|E404)/,
    'npm found no version that fits ($1).',
    'Check the name and the version of the package.',
  ),
  when(
    'npm_engine',
    /npm (?:ERR!|error) notsup Required: ([^\n]+)/,
    'A package wants another Node or npm: $1.',
    'Take that Node in the recipe, or an older version of the package.',
  ),
  when(
    'npm_lock',
    /Run "npm help ci" for more info|npm ci` can only install/,
    '`npm ci` needs a package.json and a package-lock.json that agree.',
    'Bring both into the folder first, or use `npm install`.',
  ),
  when('npm_script', /Missing script: "?([^"\n]+)/, 'The package.json has no script "$1".', 'Check the name; `npm run` alone lists them.'),
];

/** What building and installing says. */
export const toolRules: HintRule[] = [
  when(
    'checksum',
    /computed checksum did NOT match|checksum mismatch|hashes? (?:do|does) not match|DO NOT MATCH THE HASHES|Hash Sum mismatch|EINTEGRITY/i,
    'A download is not what its checksum says.',
    'Download it again; when it stays so, it was changed: check where it comes from.',
  ),
  ...npmRules,
  when(
    'pip_version',
    /No matching distribution found for (\S+)|Could not find a version that satisfies the requirement (\S+)/,
    'pip found no version that fits "$1$2".',
    'Check the name and the version, and which Python is used.',
  ),
  when(
    'pip_version',
    /Invalid requirement: '([^'\n]+)'(?!\nHint: It looks like a path)/,
    'pip does not understand "$1".',
    'Write a version as name==1.2.3, and more than one condition in quotes.',
  ),
  when(
    'not_an_archive',
    /not look like a tar archive|not in gzip format|File format not recognized|not a bzip2 file|End-of-central-directory signature not found|is not a Debian format archive|cannot find zipfile directory/,
    'This file is no archive of that kind; often it is the page of an error that was downloaded in its place.',
    'Look at it (head -c 300 FILE), and download with `curl -fL`, which fails at an error.',
  ),
  when(
    'not_an_archive',
    /no valid OpenPGP data found/,
    'What came is no key; often it is the page of an error that was downloaded in its place.',
    'Look at it (head -c 300 FILE), and download with `curl -fL`, which fails at an error.',
  ),
  when(
    'make_target',
    /No rule to make target ['`]([^'\n]+)'/,
    'make has no rule for "$1".',
    'Check its name and the folder: the script begins in /workspace, before any repository is cloned.',
  ),
  when(
    'make_target',
    /No targets specified and no makefile found/,
    'There is no Makefile in this folder.',
    'Change to the folder that has one: the script begins in /workspace, before any repository is cloned.',
  ),
  when(
    'missing_header',
    /fatal error: (\S+\.h(?:pp)?): No such file/,
    'A C header is missing: $1.',
    'Install the -dev package that brings $1.',
  ),
  when(
    'missing_header',
    /ld: cannot find -l([^\s:]+)/,
    'A library to link with is missing: lib$1.',
    'Install the -dev package that brings lib$1, most often lib$1-dev.',
  ),
  when(
    'missing_header',
    /(?:Package '?([\w.+-]+)'?,? (?:was not found in the pkg-config|required by '[^'\n]+', not found)|Could not find directory of (OpenSSL) installation|(pg_config|mysql_config) (?:executable )?not found)/,
    'A library to build with is missing: $1$2$3.',
    'Install its -dev package (libssl-dev for OpenSSL, libpq-dev for pg_config), and pkg-config.',
  ),
  when(
    'missing_compiler',
    /(?:gcc|cc|clang|[gc]\+\+)['"]? failed: No such|No such file or directory: '(?:\S+-)?(?:gcc|cc)'|make(?:\[\d+\])?: (?:gcc|cc|clang|[gc]\+\+): No such file|linker `cc` not found|C compiler cannot|no acceptable C compiler/i,
    'Building needs a C compiler.',
    'Add build-essential to the recipe, or: sudo apt-get install -y build-essential',
  ),
  when(
    'pip_build',
    /subprocess-exited-with-error|metadata-generation-failed|Failed building wheel/,
    'A Python package could not be built from its source.',
    'Read above in the log what it misses; often another version has a ready-made wheel.',
  ),
  byCommand(
    'venv_missing',
    /\bpython[\d.]* -m venv\b/,
    1,
    "Python's virtual environments are not installed here.",
    'Add python3-venv to the recipe, or: sudo apt-get install -y python3-venv',
  ),
];
