// The setup script as it is saved: normalised and measured, with advice on lines that tend to go wrong. Advice never blocks.
// Source: SPEC.md 5 (at most 64 KiB; CRLF converted, the end trimmed; `setup_warnings`).
import { SandlotError } from '../base/errors.ts';
import type { SetupWarning } from '../contract/model.ts';
import { parseScript } from './parse-script.ts';
import { warnAbout } from './script-warnings.ts';

const mostBytes = 65_536;

/** Where the last characters of a kind begin; looked for from the end, since a pattern would try each blank of a long text. */
const lastOf = (text: string, isOfKind: (character: string) => boolean): number => {
  let from = text.length;
  while (from > 0 && isOfKind(text[from - 1] ?? '')) from -= 1;
  return from;
};

/** CR LF becomes LF, and white space at the very end goes; an escaped blank there stays, since it is part of a word. A byte order mark
 * in front, which some editors write and bash would take into the first command, goes too. */
export const normaliseScript = (text: string): string => {
  const script = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const trimmed = script.slice(
    0,
    lastOf(script, (character) => /[\s\0]/.test(character)),
  );
  const backslashes = trimmed.length - lastOf(trimmed, (character) => character === '\\');
  const next = script[trimmed.length];
  return backslashes % 2 === 1 && (next === ' ' || next === '\t') ? trimmed + next : trimmed;
};

/** The script as it will be saved, its size in bytes of UTF-8, and advice. @throws invalid_request when it is larger than 65 536 bytes */
export const checkScript = (text: string): { script: string; size: number; warnings: SetupWarning[] } => {
  const script = normaliseScript(text);
  const size = Buffer.byteLength(script, 'utf8');
  if (size > mostBytes) {
    throw new SandlotError('invalid_request', `The setup script has ${size} bytes; at most ${mostBytes} bytes (64 KiB) are allowed.`, {
      details: { path: '/setup/script', size, limit: mostBytes },
      nextAction: 'Move the larger parts into the recipe (`initialize`) or into a file of the repository.',
    });
  }
  return { script, size, warnings: warnAbout(script, parseScript(script)) };
};
