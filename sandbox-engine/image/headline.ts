// The line in which a builder says which instruction it begins, as people read it: the commands of a RUN one a line, as they were written
// in the recipe. Source: Docker's classic builder and Podman ("STEP 3/7: RUN …"), our own line for BuildKit ("#3 RUN …").

const numbered = /^(?:#\d+ |step \d+(?:\/\d+)? ?: ?)/i;
const instruction = /^(?:#\d+ |[Ss][Tt][Ee][Pp] \d+(?:\/\d+)? ?: ?)([A-Z]{3,} [\s\S]*?)( \(cached\))?\s*$/;
const isText = (value: unknown): value is string => typeof value === 'string';

/** Whether a builder says with this text which instruction it begins. */
export const isHeadline = (text: string): boolean => numbered.test(text);

/** The script of a RUN in its JSON form, which is `[shell…, "-c", script, name]`; null for any other instruction. */
const scriptOf = (text: string): string | null => {
  if (!text.startsWith('RUN [')) return null;
  try {
    const words: unknown = JSON.parse(text.slice('RUN '.length));
    if (!Array.isArray(words) || !words.every(isText)) return null;
    return words.at(-3) === '-c' ? (words.at(-2) ?? null) : null;
  } catch {
    // A builder may shorten what is long: then it is shown as it came.
    return null;
  }
};

/** By which Sandlot finds its images again: nobody else reads them. */
const ownLabels = /^LABEL\s+["']?dev\.sandlot\./;

/** The headline for people; null when the text is none. `written` is the instruction as it was given to the builder: BuildKit says it with
 * its quotes and escapes resolved, so that no JSON is left. Numbers go: builders count what a recipe does not have. */
export const readableHeadline = (text: string, written?: string): string | null => {
  const [, said, cached = ''] = instruction.exec(text) ?? [];
  if (said === undefined) return null;
  if (ownLabels.test(said)) return `Labels of Sandlot${cached}\n`;
  const script = scriptOf(written ?? said);
  if (script === null) return `${said}${cached}\n`;
  const lines = script.split('\n').filter((line) => line.trim() !== '');
  return `${lines.map((line, index) => `${index === 0 ? '$' : ' '} ${line}`).join('\n')}\n`;
};
