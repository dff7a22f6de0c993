// Keeps the end of stderr for the result of a run: valid text, without escape sequences, redrawn lines in their last state.
import type { Redactor } from '../stream/redact.ts';

const keptBytes = 16_384;
const shownBytes = 2_048;

// CSI and OSC sequences, then single escapes. Source: ECMA-48.
const escapes = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\-_a-z0-9=>()]?/g;
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/g;

const redrawn = (line: string): string => {
  const shown = line.replace(/\r+$/, '');
  return shown.slice(shown.lastIndexOf('\r') + 1);
};

/** The last bytes of a text as whole characters, from a line's beginning where there is one. */
const lastPart = (text: string): string => {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= shownBytes) return text;
  let from = bytes.length - shownBytes;
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  const shown = bytes.toString('utf8', from);
  const line = shown.indexOf('\n') + 1;
  return bytes[from - 1] === 10 || line === 0 || line === shown.length ? shown : shown.slice(line);
};

/** At most 2 KiB of the end, as a person would see it. Masked once more: colours may have stood inside of a secret. */
export const shownText = (bytes: Buffer, redactText: (text: string) => string): string => {
  const lines = bytes.toString('utf8').replace(escapes, '').split('\n').map(redrawn);
  return lastPart(redactText(lines.join('\n').replace(controls, '')).trimEnd());
};

/** Makes the keeper of one run's stderr. It masks before it cuts, so that no half of a secret is left. */
export const createStderrTail = ({ openStream, redactText }: Pick<Redactor, 'openStream' | 'redactText'>) => {
  const mask = openStream();
  let kept: Buffer = Buffer.alloc(0);
  const keep = (bytes: Buffer): void => {
    kept = Buffer.concat([kept, bytes.subarray(-keptBytes)]).subarray(-keptBytes);
  };
  return {
    push: (bytes: Buffer): void => keep(mask.push(bytes)),
    /** At most 2 KiB, when no more will come. */
    text: (): string => {
      keep(mask.flush());
      return shownText(kept, redactText);
    },
  };
};
