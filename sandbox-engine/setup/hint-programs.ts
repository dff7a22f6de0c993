// Programs that are not there, cannot be started, or miss a part of themselves or of the sandbox.
import { byCode, type HintRule, when } from './hint-kinds.ts';
import { missingModule } from './hint-modules.ts';
import { commandNotFound } from './hint-packages.ts';

/** A file that is there and that the system cannot start. */
export const startRules: HintRule[] = [
  when(
    'wrong_libc',
    /version `(GLIBC_[\d.]+)' not found|ld-musl/,
    'The program was made for another system library.',
    'Install the build for Debian (glibc) of this release, or build it here.',
  ),
  when(
    'architecture',
    /Exec format error|cannot execute binary file|package architecture \(\S+\) does not match system/i,
    'The program was made for another kind of processor.',
    'Download the build for this machine: uname -m tells which.',
  ),
  when(
    'missing_shared_library',
    /error while loading shared libraries: (\S+):/,
    'A shared library is missing: $1.',
    'Install the package that brings $1.',
  ),
  when(
    'missing_interpreter',
    /required file not found|bad interpreter: No such file/,
    'The program names an interpreter that is not there: a wrong path in its first line, Windows line ends, or a build for another system library.',
    "Look at its first line (head -n 1 FILE | cat -A); remove Windows line ends with: sed -i 's/\\r$//' FILE",
  ),
  when(
    'too_many_arguments',
    /Argument list too long/,
    'The command line is longer than the system takes.',
    'Hand the names over in parts, for example: find … -print0 | xargs -0 COMMAND',
  ),
  when(
    'is_a_folder',
    /omitting directory '([^'\n]+)'|rm: cannot remove '([^'\n]+)': Is a directory/,
    '"$1$2" is a folder, and the command takes files only.',
    'Give it `-r`, which takes a folder with all that is in it.',
  ),
  when('is_a_folder', /(?:^|\n)[^\n]*?([^\s:'"]+)['"]?: Is a directory/, '"$1" is a folder, not a file.', 'Name the file inside of it.'),
  byCode('not_executable', 126, 'The file is there but cannot be run.', 'Make it executable (chmod +x FILE), or name its interpreter.'),
];

const cutShort = when(
  'not_an_archive',
  /Unexpected EOF in archive|unexpected end of file/,
  'This archive ends too early: its download was cut short, or brought nothing.',
  'Download with `curl -fL`, which fails at an error, and unpack it in a line of its own.',
);

const whereItBegins = 'Check the path: the script begins in /workspace, before any repository is cloned.';

/** Each as a tool says it; the last is what most say. */
const missingFile = [
  /(?:No such file or directory: |ENOENT: no such file or directory, \w+ |It looks like a path\. File )'([^']+)'/,
  /unzip: +cannot find or open ([^\s,]+),/,
  /:No such file or directory:\S+:\d+:calling \w+\(([^)\n]+)\)/,
  /['"‘ ]?(\/?[^\s:'"‘’]+)['"’]?: (?:Cannot \w+: )?(?:\[Errno 2\] )?No such file or directory(?![ \w])/,
];

/** What would make the place that was to be written to. */
const whatToMake = (name: string, stderrTail: string, failedCommand: string | null): string => {
  if (/mkdir: cannot create directory/.test(stderrTail)) return 'Use mkdir -p, which makes the folders above it, too.';
  const folder = name.slice(0, name.lastIndexOf('/'));
  const isRedirected = /line \d+: [^\n:]+: No such/.test(stderrTail) && /(?<![<\d])>/.test(failedCommand ?? '');
  return isRedirected && folder !== '' ? `Make its folder first: mkdir -p ${folder}` : whereItBegins;
};

const notThere: HintRule = ({ stderrTail, failedCommand }) => {
  const name = missingFile.map((pattern) => pattern.exec(stderrTail)?.[1]).find((found) => found !== undefined);
  return name === undefined
    ? null
    : {
        code: 'no_such_file',
        hint: `There is no file or folder "${name}" in the sandbox.`,
        nextAction: whatToMake(name, stderrTail, failedCommand),
      };
};

/** Programs, build files and expressions that their reader cannot take. */
const unreadableSources: HintRule[] = [
  when(
    'program_syntax',
    /(?:^|\n)((?:SyntaxError|IndentationError|TabError): [^\n]+)/,
    'A program cannot be read: $1.',
    'Mend it where the lines above say, or run it with the version of Python or Node that it was written for.',
  ),
  when(
    'program_syntax',
    /(?:^|\n)(\S+):(\d+): \*\*\* missing separator/,
    'make cannot read line $2 of $1: a command must begin with a tab, not with blanks.',
    'Put a tab in front of the command, also where a here-document writes the file.',
  ),
  when(
    'program_syntax',
    /(?:^|\n)(?:sed: -e expression #\d+, char \d+|[gmn]?awk: (?:cmd\. )?line:? ?\d+): ?([^\n]+)/,
    'The text of a small program cannot be read: $1',
    'Mend its quotes and brackets; single quotes keep the shell out of it.',
  ),
  when(
    'program_syntax',
    /(?:^|\n)(syntax error at \S+ line \d+)/,
    'A Perl program cannot be read: $1.',
    'Mend it there; single quotes around -e keep the shell out of it.',
  ),
  when(
    'program_syntax',
    /(?:^|\n)([^\s:]+:\d+:\d+: error: [^\n]+)/,
    'A source file does not compile: $1',
    'Mend it there, or take the compiler and the libraries that it was written for.',
  ),
];

/** What a program misses. */
export const partRules: HintRule[] = [
  missingModule,
  when(
    'port_in_use',
    /Address already in use|EADDRINUSE/i,
    'The port is taken by another program in the sandbox.',
    'Stop the other program first, or choose another port.',
  ),
  when(
    'too_many_files',
    /Too many open files|EMFILE/,
    'The program has more files open than it may.',
    'Raise the limit before this line (ulimit -n 8192), or do less at once.',
  ),
  when(
    'too_many_files',
    /System limit for number of file watchers reached/,
    'The program watches more files than this machine allows.',
    'Let it build once instead of watching, or raise fs.inotify.max_user_watches on the machine that the runtime stands on.',
  ),
  when(
    'locale',
    /unsupported locale setting/,
    'The language and country (locale) that the program asks for are not installed.',
    'Use C.UTF-8, which is always there, or install the locales package and generate yours.',
  ),
  ...unreadableSources,
  commandNotFound,
  when(
    'wrong_option',
    /unrecognized (?:option|arguments)|(?:invalid|unknown|illegal) option|no such option|unexpected argument|E: Invalid operation/i,
    'The command does not know an option that it was given.',
    'Look at its --help: another version has other options.',
  ),
  when(
    'file_exists',
    /File exists|already exists/,
    'Something of this name is already there.',
    'Use mkdir -p or ln -sf, or remove it first.',
  ),
  when(
    'file_exists',
    /'([^'\n]+)': Directory not empty/,
    'The folder "$1" is not empty.',
    'Remove it with what is in it first (rm -r), or name another place.',
  ),
  when('no_such_file', /([^\s:'"]+)['"]?: Not a directory/, 'There is no folder "$1": this is a file.', whereItBegins),
  notThere,
  cutShort,
];
