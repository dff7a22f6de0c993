// Programs that are not there, cannot be started, or miss a part of themselves or of the sandbox.
import { byCode, type HintRule, when } from './hint-kinds.ts';
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
    /Exec format error|cannot execute binary file/i,
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
  when('is_a_folder', /(?:^|\n)[^\n]*?([^\s:]+): Is a directory/, '"$1" is a folder, not a file.', 'Name the file inside of it.'),
  byCode('not_executable', 126, 'The file is there but cannot be run.', 'Make it executable (chmod +x FILE), or name its interpreter.'),
];

const missingFile = /['"‘ ]?(\/?[^\s:'"‘’]+)['"’]?: (?:\[Errno 2\] )?No such file or directory/;
const openedFile = /(?:No such file or directory: |ENOENT: no such file or directory, \w+ )'([^']+)'/;
const notThere: HintRule = ({ stderrTail }) => {
  const name = (openedFile.exec(stderrTail) ?? missingFile.exec(stderrTail))?.[1];
  return name === undefined
    ? null
    : {
        code: 'no_such_file',
        hint: `There is no file or folder "${name}" in the sandbox.`,
        nextAction: 'Check the path: the script begins in /workspace, before any repository is cloned.',
      };
};

/** What a program misses. */
export const partRules: HintRule[] = [
  when(
    'missing_module',
    /No module named '?([\w.]+)'?|Cannot find (?:module|package) '([^']+)'|Can't locate (\S+)\.pm in @INC/,
    'The module "$1$2$3" is not installed.',
    'Install it before this line.',
  ),
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
    'locale',
    /unsupported locale setting/,
    'The language and country (locale) that the program asks for are not installed.',
    'Use C.UTF-8, which is always there, or install the locales package and generate yours.',
  ),
  when(
    'program_syntax',
    /(?:^|\n)((?:SyntaxError|IndentationError|TabError): [^\n]+)/,
    'A program cannot be read: $1.',
    'Mend it where the lines above say, or run it with the version of Python or Node that it was written for.',
  ),
  commandNotFound,
  when(
    'wrong_option',
    /unrecognized (?:option|arguments)|(?:invalid|unknown|illegal) option|no such option|unexpected argument/i,
    'The command does not know an option that it was given.',
    'Look at its --help: another version has other options.',
  ),
  when(
    'file_exists',
    /File exists|already exists/,
    'Something of this name is already there.',
    'Use mkdir -p or ln -sf, or remove it first.',
  ),
  notThere,
];
