// Failures that the shell itself tells of: text it cannot read, commands that answer "no", questions, pipes, rights.
import { scriptPath } from './feeder.ts';
import { byCode, byCommand, type HintRule, when } from './hint-kinds.ts';

/** Text with a CR in it, shown by bash, by env or in a first line. */
const crlf = when(
  'crlf',
  /\$'[^'\n]*\\r'|\\r'?: (?:command )?not found|bad interpreter: [^\n]*\^M|env: [^\n]*\\r|\/bin\/(?:ba)?sh\r/,
  'A file has Windows line ends (CR LF), which its interpreter cannot read.',
  "Convert it first: sed -i 's/\\r$//' FILE",
);

/** Bash names the script by the path it reads it from; another name is a file that the script runs. */
const unreadable: HintRule = ({ stderrTail }) => {
  const found = /(?:^|\n)([^\s:]+): line (\d+): (syntax error[^\n]*|unexpected EOF[^\n]*|[^\n]*: bad substitution)/.exec(stderrTail);
  if (found === null) return null;
  const [, file, line, problem] = found;
  return file === scriptPath
    ? {
        code: 'syntax_error',
        hint: `Bash cannot read the script: ${problem} (line ${line}).`,
        nextAction: `Mend the script at line ${line}, then run setup again.`,
      }
    : {
        code: 'syntax_error',
        hint: `Bash cannot read ${file}: ${problem} (line ${line}).`,
        nextAction: `Mend ${file} at line ${line}. If it comes from Windows, remove its line ends first: sed -i 's/\\r$//' ${file}`,
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

const deniedWords = /Permission denied|EACCES|are you root\?|must be (?:run as )?root|requires? superuser|Operation not permitted/i;
const ownPlaces = 'Write below /workspace or your home folder';

/** What to do about something that the sandbox user may not do; sudo reaches neither a redirection nor what the shell does itself. */
const rightsFor = (command: string, stderrTail: string): string => {
  const redirected = /(?:^|\n)\S+: line \d+: (\/[^\s:]+): Permission denied/.exec(stderrTail)?.[1];
  if (redirected !== undefined && command.includes('>'))
    return `${ownPlaces}, or let root write: put \`| sudo tee ${redirected}\` in place of the redirection.`;
  if (/^(?:cd|source|\.|export|pushd)\b/.test(command)) return `${ownPlaces}; the shell itself cannot be run with sudo.`;
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
  const said = /: \$?([A-Za-z_]\w*|\d+|[@*]): (?:unbound variable|parameter null or not set)/.exec(input.stderrTail)?.[1];
  const name = said ?? (own !== undefined && input.stderrTail.includes(` ${own}: `) ? own : undefined);
  return name === undefined
    ? null
    : {
        code: 'unbound_variable',
        hint: `The variable ${name} is not set.`,
        nextAction: `Set it in the environment variables, or give it a default: \${${name}:-value}`,
      };
};

const brokenOff = byCode(
  'pipe_closed',
  141,
  'A command in the pipe stopped reading early (141), and `pipefail` counts that as a failure.',
  'Let the reader read to the end (for example `sed -n 1p` instead of `head -n 1`), or end the line with `|| [ $? -eq 141 ]`.',
);

const ownTimeout = byCommand(
  'command_timeout',
  /\btimeout\b/,
  124,
  'The command took longer than the `timeout` before it allows.',
  'Give it more time, or find out what it waits for.',
);

/** Text that no shell can read. */
export const unreadableRules: HintRule[] = [crlf, unreadable, needsBash];
/** Rights, questions and terminals. */
export const rightsRules: HintRule[] = [sudoDenied, permission, readsInput, needsTerminal];
/** What the shell says of variables and pipes. */
export const shellRules: HintRule[] = [unboundVariable, brokenOff, ownTimeout];
