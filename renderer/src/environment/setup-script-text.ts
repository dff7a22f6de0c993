// The script as text: its size as it will be saved, and edits of single lines. Knows no editor.
import type { SetupWarning } from '../../../sandbox-engine/contract/model.ts';

/** Bytes that a script may have. Source: SPEC.md 5. */
export const maxScriptBytes = 65_536;

/** The script as the host keeps it: LF only, the end trimmed. */
const normalScript = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd();

/** Bytes in UTF-8 after normalising. */
export const scriptBytes = (text: string): number => new TextEncoder().encode(normalScript(text)).length;

/** Whether both are the same script for the host. */
export const isSameScript = (one: string, other: string): boolean => normalScript(one) === normalScript(other);

/** The text with the warned line rewritten; as it was when there is no fix or no such line. */
export const applyFix = (text: string, { line, fix }: SetupWarning): string => {
  const lines = text.split(/\r?\n/);
  if (fix === null || line > lines.length) return text;
  return [...lines.slice(0, line - 1), fix, ...lines.slice(line)].join('\n');
};

/** The text with the first fixable warning of each line mended, from the end, so that a fix of two lines moves no other. */
export const applyAllFixes = (text: string, warnings: readonly SetupWarning[]): string => {
  const first = new Map<number, SetupWarning>();
  for (const warning of warnings) if (warning.fix !== null && !first.has(warning.line)) first.set(warning.line, warning);
  return [...first.values()].sort((a, b) => b.line - a.line).reduce(applyFix, text);
};
