// Prepares a script for its run: the pieces that the feeder hands to bash, and the markers that belong to them.
// The script's shell gets no variable, function, file or option of ours. Where the script cannot look at its traps it gets two that
// tell where inside a block or function it failed; a script that looks at or sets traps itself gets none.
import { randomBytes } from 'node:crypto';
import { feederInput, reportPlace } from './feeder.ts';
import { type ParsedScript, parseScript, type ScriptGroup } from './parse-script.ts';

export interface Marker {
  line: number;
  text: string;
}

export interface InstrumentedScript {
  script: string;
  parsed: ParsedScript;
  /** One for each piece after the prelude, in order. */
  markers: Marker[];
  nonce: string;
  /** For the feeder's standard input. */
  input: Buffer;
}

/** Puts a command of several lines on one: continuations joined, blanks trimmed; here-documents stay out of it. */
export const joinLines = (text: string): string => text.replace(/[ \t]*\\\n[ \t]*/g, ' ').trim();

const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const looks =
  /\$-|SHELLOPTS|BASHOPTS|\bshopt\b|\bset\s+[-+]o\s*(?:$|[;|&\n)])|\bset\s*(?:$|[;|&\n)])|\bset\s+[-+][A-Za-z]*[ET]|errtrace|functrace/m;

/** The shell would print what our traps do, or run something of the script in their place. */
const tells = /\bset\b[^\n;&|]*\s[-+][A-Za-z]*v|\bverbose\b|BASH_XTRACEFD|\bfunction\s+builtin\b|\bbuiltin\s*\(\s*\)|\bbuiltin=/;

/** Which of our two traps the script can neither see nor lose. */
const hiddenTraps = (whole: string): { err: boolean; exit: boolean } => {
  const script = whole.replace(/^[ \t]*#.*$/gm, '');
  if (tells.test(script)) return { err: false, exit: false };
  if (!/\btrap\b/.test(script)) return { err: !looks.test(script), exit: true };
  // Every use of the word must plainly set a trap of a known kind; else it may list them.
  const uses = script.match(/\btrap\b/g)?.length ?? 0;
  const settings = [...script.matchAll(/\btrap\s+(?:--\s+)?(?:'[^']*'|"[^"]*"|-|[A-Za-z_]\w*)((?:[ \t]+[A-Z0-9a-z]+)+)/g)];
  if (settings.length !== uses) return { err: false, exit: false };
  const kinds = settings.map((setting) => (setting[1] ?? '').toUpperCase()).join(' ');
  if (/\b(?:DEBUG|RETURN)\b/.test(kinds)) return { err: false, exit: false };
  return { err: !/\bERR\b/.test(kinds) && !looks.test(script), exit: !/\b(?:EXIT|0)\b/.test(kinds) };
};

/** `$_` comes last: so it is still what it was when the script looks at it next. */
const reportWords = (kind: string): string =>
  `builtin printf '%s\\x1f' $'\\x1e'${kind} "$?" "$BASH_SUBSHELL" "$LINENO" "$BASH_COMMAND" "\${BASH_SOURCE[@]}" "" "\${BASH_LINENO[@]}" "$_" >${reportPlace}`;

/** All on line 1, before the script's own first line, so that its line numbers stay its own. */
const preludeOf = (script: string, path: string | null): string => {
  const traps = hiddenTraps(script);
  const words = ['exec 3<&-'];
  if (path !== null) words.push(`PATH=${shellQuote(path)}`);
  if (traps.err) words.push(`trap ${shellQuote(`{ ${reportWords('E')}; } 2>/dev/null || :`)} ERR`);
  if (traps.exit) words.push(`trap ${shellQuote(`{ ${reportWords('X')}; } 2>/dev/null || :`)} EXIT`);
  words.push(traps.err ? 'set -Eeo pipefail' : 'set -eo pipefail');
  return `${words.join('; ')}; `;
};

const markerOf = (script: string, { start, end, line }: ScriptGroup): Marker => {
  const joined = joinLines(script.slice(start, end));
  return { line, text: joined.split('\n')[0] ?? joined };
};

/** Cuts a normalised script at the lines where its top-level groups begin. `path` is the image's PATH, null to keep what is there. */
export const instrument = (script: string, path: string | null): InstrumentedScript => {
  const parsed = parseScript(script);
  const starts = parsed.groups.map(({ start }) => script.lastIndexOf('\n', start - 1) + 1);
  const first = starts[0] ?? script.length;
  const pieces = [Buffer.from(preludeOf(script, path) + script.slice(0, first))];
  for (const [index, start] of starts.entries()) pieces.push(Buffer.from(script.slice(start, starts[index + 1] ?? script.length)));
  pieces.push(Buffer.from(`${pieces.pop() ?? ''}\n`));
  const nonce = randomBytes(18).toString('base64url');
  const markers = parsed.groups.map((group) => markerOf(script, group));
  return { script, parsed, markers, nonce, input: feederInput(nonce, pieces) };
};
