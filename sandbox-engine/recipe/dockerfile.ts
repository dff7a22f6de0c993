// Writes single Dockerfile instructions so that every text arrives byte for byte on Docker's classic builder, BuildKit and buildah.
// Knows the syntax only. Tried on all three: single quotes are raw in ENV and LABEL, RUN's JSON form is expanded by none of them.
// Source: Dockerfile reference (ENV, LABEL, RUN exec form, ARG scope).

/** The build argument that stands for a line break: ENV and LABEL cannot hold one, but may be given one. */
export const newlineArgument = 'SANDLOT_NEWLINE';

/** Docker's line scanner gives up at 64 KiB; what is longer has to arrive as a file. */
export const maxLineBytes = 60_000;

const quoteLine = (line: string): string =>
  line
    .split("'")
    .map((part) => (part === '' ? '' : `'${part}'`))
    .join(`"'"`);

/** Quotes a value of ENV or LABEL. A line break becomes a reference to `newlineArgument`, which the stage must declare. */
const quoteValue = (value: string): string => {
  const quoted = value.split('\n').map(quoteLine).join(`"\${${newlineArgument}}"`);
  return quoted === '' ? "''" : quoted;
};

/** ENV or LABEL with any number of pairs, one a line; names must have been checked. */
export const pairsInstruction = (keyword: 'ENV' | 'LABEL', pairs: Record<string, string>): string =>
  `${keyword} ${Object.entries(pairs)
    .map(([name, value]) => `${keyword === 'LABEL' ? quoteValue(name) : name}=${quoteValue(value)}`)
    .join(' \\\n    ')}`;

/** RUN of a script by a shell that the image has; `name` is what the shell calls itself in its messages. */
export const runInstruction = (shell: readonly string[], script: string, name: string): string =>
  // JSON leaves `<` alone; written as \u003c, no builder can take `<<EOF` for a heredoc of the Dockerfile itself.
  `RUN ${JSON.stringify([...shell, '-c', script, name]).replaceAll('<', '\\u003c')}`;

/** Quotes a text for bash or sh. */
export const quoteShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
