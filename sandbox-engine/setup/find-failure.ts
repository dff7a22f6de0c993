// Finds the line and the command that a failed script ended at, from the last marker and what the shell reported.
// Bash counts a continued command by its last line, so every number is looked up in the parsed script.
import { scriptPath } from './feeder.ts';
import { type InstrumentedScript, joinLines, type Marker } from './instrument.ts';
import type { ScriptCommand, ScriptGroup } from './parse-script.ts';

export interface Failure {
  line: number;
  command: string;
}

interface Report {
  kind: string;
  status: number;
  subshell: number;
  line: number;
  /** Its line and those of the calls that led there, outermost last. */
  callLines: number[];
  command: string;
  /** The command stands in a file that the script sources: its text is not the script's. */
  isForeign: boolean;
}

/** The line within the script itself: that of the `source` when the failing command stands in another file. */
const ownLine = (sources: string[], lines: number[], line: number): number => {
  const own = sources.indexOf(scriptPath);
  if (own <= 0) return line;
  return lines[own - 1] ?? line;
};

const readReport = (record: string): Report | null => {
  const fields = record.split('\x1f');
  const [kind, status, subshell, line, command] = fields;
  if (kind === undefined || command === undefined) return null;
  // The last two are what `$_` was, and nothing.
  const rest = fields.slice(5, -2);
  const cut = rest.indexOf('');
  const [sources, lines] = [rest.slice(0, cut), rest.slice(cut + 1).map(Number)];
  const at = ownLine(sources, lines, Number(line));
  const callLines = [at, ...lines.slice(0, -1)];
  return {
    kind,
    status: Number(status),
    subshell: Number(subshell),
    line: at,
    callLines,
    command,
    isForeign: sources.indexOf(scriptPath) > 0,
  };
};

const decode = (text: string): string =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

const readReports = (text: string): Report[] =>
  decode(text)
    .split('\x1e')
    .flatMap((record) => readReport(record) ?? []);

const bare = (text: string): string => text.replace(/[\s;'"\\{}()]+/g, '');

const sourceOf = ({ script }: InstrumentedScript, { start, end }: ScriptCommand): string => joinLines(script.slice(start, end));

/** Without its here-documents: they are no part of a parsed command. */
const withoutHeredocs = (command: string): string => command.replace(/(<<-?[^<\n][^\n]*)\n[\s\S]*/, '$1');

const isSourcing = ({ words }: ScriptCommand): boolean => words[0] === 'source' || words[0] === '.';

/** The innermost command at a line; where several stand there, the one that reads like what the shell was running. */
const commandAt = (run: InstrumentedScript, { line, command: running, isForeign }: Report): ScriptCommand | null => {
  const here = run.parsed.commands.filter((command) => command.line <= line && line <= command.lastLine);
  const wanted = isForeign ? '' : bare(withoutHeredocs(running));
  const sourcing = isForeign ? here.filter(isSourcing) : [];
  const alike = here.filter((command) => wanted !== '' && bare(sourceOf(run, command)).includes(wanted));
  // Bash counts lines inside of a command substitution from elsewhere: there the text alone tells.
  const elsewhere =
    alike.length === 0 && wanted !== '' ? run.parsed.commands.filter((command) => bare(sourceOf(run, command)) === wanted) : [];
  const [best] =
    [sourcing, alike, elsewhere, here]
      .find((found) => found.length > 0)
      ?.sort((a, b) => a.lastLine - a.line - (b.lastLine - b.line) || a.end - a.start - (b.end - b.start)) ?? [];
  return best ?? null;
};

/** Where an `exit`, an unset variable or the like ended the script inside of a block: by the text that was running. */
const failureByText = (run: InstrumentedScript, report: Report, from: number, to: number): Failure | null => {
  const wanted = bare(report.command);
  if (wanted === '') return null;
  const alike = run.parsed.commands.filter((command) => bare(sourceOf(run, command)) === wanted);
  const inside = alike.find(({ line }) => line >= from && line <= to) ?? alike[0];
  return inside === undefined ? null : { line: inside.line, command: sourceOf(run, inside) };
};

const lastFailure = (reports: Report[], exitCode: number): Report | null => {
  const errors = reports.filter(({ kind }) => kind === 'E');
  const last = errors.at(-1);
  if (last === undefined || last.status !== exitCode) return null;
  // A subshell tells first, then the shell around it: the first of an unbroken row is where it happened.
  let found = last;
  for (let at = errors.length - 2; at >= 0; at -= 1) {
    const before = errors[at];
    if (before === undefined || before.subshell <= found.subshell || before.status !== exitCode) break;
    found = before;
  }
  return found;
};

/** The only `exit` inside of a block that gives this code, when there is one. */
const exitInside = (run: InstrumentedScript, from: number, to: number, exitCode: number): ScriptCommand | null => {
  const exits = run.parsed.commands.filter(
    ({ words, start, end }) => start >= from && end <= to && words[0] === 'exit' && words[1] === String(exitCode),
  );
  return exits.length === 1 ? (exits[0] ?? null) : null;
};

const describe = (run: InstrumentedScript, command: ScriptCommand, exitCode: number): Failure => {
  const inner = command.words.length > 0 ? null : exitInside(run, command.start, command.end, exitCode);
  const place = inner ?? command;
  return { line: place.line, command: sourceOf(run, place) };
};

const unreadable = new RegExp(String.raw`^${scriptPath}: line (\d+): (?:syntax error[^\n]*|unexpected EOF[^\n]*)`, 'gm');

/** A syntax error stands where bash says; one at the end of the file is that of the block that was never closed. Of the script itself:
 * one of a file that it runs is that of the line which runs it. */
const syntaxFailure = (run: InstrumentedScript, marker: { line: number; text: string }, stderrTail: string): Failure | null => {
  const found = [...stderrTail.matchAll(unreadable)][0];
  if (found === undefined) return null;
  const line = Number(found[1]);
  const text = run.script.split('\n')[line - 1];
  if (/unexpected EOF while looking/.test(found[0]) && text !== undefined) return { line, command: text.trim() };
  return /end of file|EOF/.test(found[0]) || text === undefined
    ? { line: marker.line, command: marker.text }
    : { line, command: text.trim() };
};

export interface RunEnd {
  /** The last marker seen, -1 before the first. */
  markerIndex: number;
  /** What the feeder reported, percent-encoded. */
  reports: string;
  exitCode: number;
  /** Of the last marker's command. */
  stderrTail: string;
}

/** Not what an EXIT trap of the script failed at after the script did: bash says of that that it stands on line 1. */
const isOfGroup = ({ callLines }: Report, { line }: ScriptGroup): boolean => line === 1 || !callLines.includes(1);

/** By what the shell reported of the failure, if it reported anything. */
const reportedFailure = (run: InstrumentedScript, group: ScriptGroup, text: string, exitCode: number): Failure | null => {
  const reports = readReports(text);
  const failed =
    lastFailure(
      reports.filter((report) => isOfGroup(report, group)),
      exitCode,
    ) ?? lastFailure(reports, exitCode);
  const exited = reports.find(({ kind }) => kind === 'X');
  if (exited !== undefined && (failed === null || /^(?:exit|exec)\b/.test(exited.command))) {
    const found = failureByText(run, exited, group.line, group.lastLine);
    if (found !== null) return found;
  }
  const found = failed === null ? null : commandAt(run, failed);
  return found === null ? null : describe(run, found, exitCode);
};

/** By the marker alone: the one command that it stands for, or its line. */
const markedFailure = (run: InstrumentedScript, group: ScriptGroup, marker: Marker, exitCode: number): Failure => {
  const top = run.parsed.commands.filter(({ start, end, depth }) => start >= group.start && end <= group.end && depth === 0);
  const only = top.length === 1 ? top[0] : undefined;
  if (only === undefined) return { line: marker.line, command: marker.text };
  const place = describe(run, only, exitCode);
  return only.words.length > 0 || place.line !== only.line ? place : { line: marker.line, command: marker.text };
};

/** Line and command of the failure; null when nothing of the script ran. */
export const findFailure = (run: InstrumentedScript, { markerIndex, reports, exitCode, stderrTail }: RunEnd): Failure | null => {
  const marker = run.markers[markerIndex];
  const group = run.parsed.groups[markerIndex];
  const syntax = exitCode === 2 ? syntaxFailure(run, marker ?? { line: 1, text: '' }, stderrTail) : null;
  if (syntax !== null || marker === undefined || group === undefined) return syntax;
  return reportedFailure(run, group, reports, exitCode) ?? markedFailure(run, group, marker, exitCode);
};
