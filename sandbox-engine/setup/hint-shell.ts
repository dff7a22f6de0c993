// Failures that the shell itself tells of: text it cannot read, commands that answer "no", questions, pipes, rights.
import { scriptPath } from './feeder.ts';
import { type HintRule, when } from './hint-kinds.ts';

/** Text with a CR in it, shown by bash, by env or in a first line. */
const crlf = when(
  'crlf',
  /\$'[^'\n]*\\r'|\\r'?: (?:command )?not found|bad interpreter: [^\n]*\^M|env: [^\n]*\\r|\/bin\/(?:ba)?sh\r/,
  'A file has Windows line ends (CR LF), which its interpreter cannot read.',
  "Convert it first: sed -i 's/\\r$//' FILE",
);

/** What is no script at all, though bash was given it as one. */
const isPage = (stderrTail: string): boolean => /: line \d+: [`'](?:<!DOCTYPE|<html|<head|<\?xml)/i.test(stderrTail);

const webPage = {
  code: 'not_an_archive',
  hint: 'Bash was given a web page, not a program: most often the page of an error that was downloaded in its place.',
  nextAction: 'Check the address, and download with `curl -fL`, which fails at an error.',
};

/** Marks of a document that came along with the commands. */
const fenced: HintRule = ({ failedCommand }) =>
  /^(?:```|~~~)/.test(failedCommand ?? '')
    ? {
        code: 'syntax_error',
        hint: 'The script holds the marks of a document around its commands (```).',
        nextAction: 'Remove those lines, and leave the commands between them.',
      }
    : null;

/** Signs that an editor of texts or a web page put in the place of plain ones. */
const typographic: HintRule = ({ failedCommand }) => {
  const sign = /[\u00a0\u2007\u202f\u200b\ufeff]|[“”„‘’]|(?<=\s)[–—](?=\w)/.exec(failedCommand ?? '')?.[0];
  if (sign === undefined) return null;
  const isBlank = /[\s\u200b\ufeff]/.test(sign);
  return {
    code: 'syntax_error',
    hint: isBlank ? 'A blank in this command is none that bash knows (a no-break space).' : `Bash does not know the sign ${sign}.`,
    nextAction: isBlank ? 'Type the blanks of this line anew.' : 'Type plain quotes and dashes: " \' -',
  };
};

/** Only where the command could not be found, or one of its words: such signs are fine in a text that is printed. */
const pasted: HintRule = (input) =>
  input.exitCode === 127 || /: No such file or directory/.test(input.stderrTail) ? typographic(input) : null;

/** Bash read its input, not a file. */
const isStream = (file = ''): boolean => /^(?:ba)?sh$|^\/dev\/(?:fd|stdin)|^\/proc\//.test(file);

/** Bash names the script by the path it reads it from; another name is a file that the script runs. */
const unreadable: HintRule = ({ stderrTail }) => {
  if (isPage(stderrTail)) return webPage;
  const found = /(?:^|\n)([^\s:]+): line (\d+): (syntax error[^\n]*|unexpected EOF[^\n]*|[^\n]*: bad substitution)/.exec(stderrTail);
  if (found === null) return null;
  const [, file, line, problem] = found;
  return file === scriptPath
    ? {
        code: 'syntax_error',
        hint: `Bash cannot read the script: ${problem} (line ${line}).`,
        nextAction: `Mend the script at line ${line}, then test setup again.`,
      }
    : {
        code: 'syntax_error',
        hint: `Bash cannot read ${isStream(file) ? 'what it was given' : file}: ${problem} (line ${line}).`,
        nextAction: isStream(file)
          ? 'Look at what is handed to it: save it into a file first, and read that.'
          : `Mend ${file} at line ${line}. If it comes from Windows, remove its line ends first: sed -i 's/\\r$//' ${file}`,
      };
};

/** What only bash understands, given to Debian's plain sh. */
const needsBash = when(
  'needs_bash',
  /(?:^|\n)[^\n]*sh: (?:line )?\d+: (?:(\[\[|source|function|let|declare|shopt|pushd|popd): not found|Syntax error: |set: (Illegal option)|Bad (substitution))/,
  'This was written for bash, but Debian\'s plain "sh" ran it.',
  'Call it with bash instead of sh, or begin its file with #!/bin/bash.',
);

const asks = String.raw`(?:grep|egrep|fgrep|zgrep|diff|cmp|test|\[|\[\[|\(\(|let|expr|which|pgrep|pidof|command -v|type|hash)(?=\s|$|\()`;
const plainAsk = new RegExp(String.raw`^(?:! )?(?:\w+=\S* )*(?:sudo )?${asks}[^|;&\n]*$|^\[\[[^\n]*\]\]$|^\(\([^\n]*\)\)$`);
const askAtEnd = new RegExp(String.raw`\|&?\s*(?:sudo )?${asks}[^|;&\n]*$`);

const no = {
  code: 'answered_no',
  hint: 'Nothing broke: this command answered "no" (exit code 1), and the script ends at the first command that does not succeed.',
  nextAction: 'If "no" is fine here, end the line with `|| true`, or ask within `if … then … fi`.',
};

/** A command that only asks. Alone in its line nothing else can have failed. */
export const answeredNo: HintRule = ({ exitCode, failedCommand, stderrTail }) =>
  exitCode === 1 && plainAsk.test(failedCommand ?? '') && !/: (?:\(\(|let): /.test(stderrTail) ? no : null;

/** The same at the end of a pipe, where what stands before it may have failed instead: for when nothing else is known. */
export const answeredNoInPipe: HintRule = ({ exitCode, failedCommand }) =>
  exitCode === 1 && askAtEnd.test(failedCommand ?? '') ? no : null;

/** A question that nobody can answer. */
const readsInput: HintRule = ({ failedCommand, exitCode, stderrTail }) =>
  (exitCode === 1 && /^(?:IFS=\S* )?read\b/.test(failedCommand ?? '')) ||
  /EOF when reading a line|cannot read from stdin|EOFError/i.test(stderrTail)
    ? {
        code: 'needs_input',
        hint: 'This command asks a question, and a setup run has nobody to answer: its input is at the end.',
        nextAction: 'Give the answer on the command line (`-y`, `--yes`, `--non-interactive`), or write the value into the script.',
      }
    : null;

const needsTerminal = when(
  'needs_terminal',
  /Inappropriate ioctl for device|No value for \$TERM|not a t(?:ty|erminal)\b|must be run from a terminal|requires? a (?:tty|terminal)|connected to a terminal/i,
  'This command wants a terminal, and a setup run has none.',
  'Leave its option for a terminal away (`-t`, `-it`), or do it in a session.',
);

const sudoDenied = when(
  'sudo_denied',
  /sudo: a (?:password|terminal) is required|is not in the sudoers file|is not allowed to (?:execute|run) /,
  'sudo asks for a password here: this image lets the sandbox user do nothing as root.',
  'Do it in the recipe, which is built as root, or give sudo back there: a file in /etc/sudoers.d that says `sandbox ALL=(ALL) NOPASSWD:ALL`.',
);

/** The shell's own limits, and places that the runtime holds. */
const held = when(
  'not_even_root',
  /ulimit: [^\n]*cannot modify limit|: Device or resource busy/,
  'The runtime holds this limit or this file: nobody in a sandbox can change it.',
  'Leave the command away; of a limit, at most what `ulimit -Hn` tells can be had.',
);

/** Asks for a password that nobody has. */
const switchUser = when(
  'permission',
  /su: (?:Authentication failure|must be run from a terminal)/,
  'su asks for a password, and the sandbox has none.',
  'Use sudo, which asks for none: sudo COMMAND, or sudo -u USER COMMAND',
);

const deniedWords = /Permission denied|EACCES|are you root\?|must be (?:run as )?root|requires? superuser|Operation not permitted/i;
const ownPlaces = 'Write below /workspace or your home folder';

/** What to do about something that the sandbox user may not do; sudo reaches neither a redirection nor what the shell does itself. */
const rightsFor = (command: string, stderrTail: string): string => {
  const redirected = /(?:^|\n)\S+: line \d+: (\/[^\s:]+): Permission denied/.exec(stderrTail)?.[1];
  if (redirected !== undefined && command.includes('>'))
    return `${ownPlaces}, or let root write: put \`| sudo tee ${redirected}\` in place of the redirection.`;
  if (/^(?:cd|source|\.|export|pushd|exit|return|ulimit|umask|exec)(?=\s|$)/.test(command))
    return `${ownPlaces}; the shell itself cannot be run with sudo.`;
  if (/[|;&<>\n`]|\$\(|^\(|^\w+=/.test(command)) return `Put sudo before the one command that was refused, or ${ownPlaces.toLowerCase()}.`;
  return `Use sudo: sudo ${command}`;
};

/** Something that the sandbox user may not do. */
const permission: HintRule = ({ stderrTail, failedCommand }) => {
  const isSaid = deniedWords.test(stderrTail) && !/permission denied \(publickey/i.test(stderrTail);
  const command = failedCommand ?? '';
  const isRooted = /\bsudo (?!-u)/.test(command) && !/\S: line \d+: [^\n]*Permission denied/.test(stderrTail);
  if (/Read-only file system/.test(stderrTail) || (isSaid && isRooted))
    return {
      code: 'not_even_root',
      hint: 'Not even root of a sandbox may do this: mounts, kernel settings, devices and the firewall belong to the machine.',
      nextAction: 'Leave this command away, or set it on the machine that the runtime stands on.',
    };
  if (!isSaid) return null;
  return {
    code: 'permission',
    hint: 'The script runs as the sandbox user, who may not do this.',
    nextAction: command === '' ? `${ownPlaces}, or use sudo.` : rightsFor(command, stderrTail),
  };
};

/** A variable that has no value, by `set -u` or by the script's own `${NAME:?message}`. */
const unboundVariable: HintRule = (input) => {
  const own = /\$\{(\w+):?\?/.exec(input.failedCommand ?? '')?.[1];
  const said =
    /: \$?([A-Za-z_]\w*|\d+|[@*]): (?:unbound variable|parameter null or not set)/.exec(input.stderrTail)?.[1] ??
    /in __getitem__\n(?:[^\n]*\n)*?KeyError: '([A-Z][A-Z0-9_]*)'$/.exec(input.stderrTail)?.[1];
  const name = said ?? (own !== undefined && input.stderrTail.includes(` ${own}: `) ? own : undefined);
  return name === undefined
    ? null
    : {
        code: 'unbound_variable',
        hint: `The variable ${name} is not set.`,
        nextAction: `Set it in the environment variables (secrets reach sessions only), or give it a default: \${${name}:-value}`,
      };
};

const pipeClosed = {
  code: 'pipe_closed',
  hint: 'A command in the pipe stopped reading early (141), and `pipefail` counts that as a failure.',
  nextAction: 'Let the reader read to the end (for example `sed -n 1p` instead of `head -n 1`), or end the line with `|| [ $? -eq 141 ]`.',
};

/** Python and Node tell of it in their own way. */
const pipeBroken: HintRule = (input) =>
  input.exitCode === 141 || (/BrokenPipeError|\bEPIPE\b|: Broken pipe/.test(input.stderrTail) && (input.failedCommand ?? '').includes('|'))
    ? pipeClosed
    : null;

/** With `-k` or `-s KILL` it ends in 137. */
const ownTimeout: HintRule = ({ exitCode, failedCommand }) =>
  (exitCode === 124 || exitCode === 137) && /\btimeout\b/.test(failedCommand ?? '')
    ? {
        code: 'command_timeout',
        hint: 'The command took longer than the `timeout` before it allows.',
        nextAction: 'Give it more time, or find out what it waits for.',
      }
    : null;

/** Text that no shell can read. */
export const unreadableRules: HintRule[] = [crlf, fenced, pasted, unreadable, needsBash];
/** Rights, questions and terminals. */
export const rightsRules: HintRule[] = [sudoDenied, switchUser, held, permission, readsInput, needsTerminal];
/** What the shell says of variables and pipes. */
export const shellRules: HintRule[] = [unboundVariable, pipeBroken, ownTimeout];
