// Masks secret values in bytes that arrive in any pieces. Holds back the end of a piece while it may be the beginning of a secret;
// for how long is the caller's decision, by `flush`. Knows no streams and no lines.
import { secretForms } from './secret-forms.ts';

export interface Secret {
  name: string;
  value: string;
}

/** The masking state of one byte stream: one for stdout, another for stderr. */
export interface StreamRedactor {
  /** Answers what is safe to show now; the rest follows with a later push or flush. */
  push: (bytes: Uint8Array) => Buffer;
  /** Answers what was held back, masked as far as it is a whole secret. */
  flush: () => Buffer;
  /** Whether bytes are held back now. */
  isHolding: () => boolean;
}

export interface Redactor {
  openStream: () => StreamRedactor;
  redactText: (text: string) => string;
}

const secretMask = '***';

interface Patterns {
  anywhere: RegExp;
  byFirst: Map<string, string[]>;
  longest: number;
}

const compile = (forms: string[]): Patterns => {
  const byFirst = new Map<string, string[]>();
  for (const form of forms) byFirst.set(form.charAt(0), [...(byFirst.get(form.charAt(0)) ?? []), form]);
  const literals = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'));
  return { anywhere: new RegExp(literals.join('|'), 'g'), byFirst, longest: forms[0]?.length ?? 0 };
};

/** Where the text's end begins to look like the beginning of a secret; the text's length when it does not. */
const heldFrom = (text: string, patterns: Patterns): number => {
  for (let at = Math.max(0, text.length - patterns.longest + 1); at < text.length; at += 1) {
    const candidates = patterns.byFirst.get(text.charAt(at));
    if (candidates === undefined) continue;
    const rest = text.slice(at);
    if (candidates.some((form) => form.length > rest.length && form.startsWith(rest))) return at;
  }
  return text.length;
};

/** Spans to mask, those that overlap joined into one so that no tail of a second secret is left over. */
const findSpans = (text: string, { anywhere }: Patterns): { from: number; to: number }[] => {
  const spans: { from: number; to: number }[] = [];
  anywhere.lastIndex = 0;
  for (let found = anywhere.exec(text); found !== null; found = anywhere.exec(text)) {
    const last = spans.at(-1);
    const to = found.index + found[0].length;
    if (last !== undefined && found.index < last.to) last.to = Math.max(last.to, to);
    else spans.push({ from: found.index, to });
    anywhere.lastIndex = found.index + 1;
  }
  return spans;
};

const mask = (text: string, spans: { from: number; to: number }[], end: number): string => {
  let masked = '';
  let at = 0;
  for (const { from, to } of spans) {
    if (from >= end) break;
    masked += text.slice(at, from) + secretMask;
    at = to;
  }
  return masked + text.slice(at, Math.max(at, end));
};

const openMaskingStream = (patterns: Patterns): StreamRedactor => {
  let held = '';
  const most = 4 * patterns.longest + 65_536;
  const take = (text: string, end: number, spans: { from: number; to: number }[]): Buffer => {
    const lastSpan = spans.findLast(({ from }) => from < end);
    held = text.slice(Math.max(end, lastSpan?.to ?? 0));
    return Buffer.from(mask(text, spans, end), 'latin1');
  };
  return {
    push: (bytes) => {
      const text = held + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
      const spans = findSpans(text, patterns);
      let end = heldFrom(text, patterns);
      // A found secret that reaches into the held end may be the shorter of two: it waits with it, unless that grows for ever.
      const reaching = spans.find(({ to }) => to > end);
      if (reaching !== undefined && text.length - reaching.from < most) end = Math.min(end, reaching.from);
      return take(text, end, spans);
    },
    flush: () => take(held, held.length, findSpans(held, patterns)),
    isHolding: () => held !== '',
  };
};

const nothing = Buffer.alloc(0);
const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const openPlainStream = (): StreamRedactor => ({ push: asBuffer, flush: () => nothing, isHolding: () => false });

/** Makes the mask for these values and their encodings; without a value worth masking, bytes pass through untouched. */
export const createRedactor = (secrets: Secret[]): Redactor => {
  const forms = secretForms(secrets.map(({ value }) => value));
  if (forms.length === 0) return { openStream: openPlainStream, redactText: (text) => text };
  const patterns = compile(forms);
  return {
    openStream: () => openMaskingStream(patterns),
    redactText: (text) => {
      const whole = Buffer.from(text, 'utf8').toString('latin1');
      return Buffer.from(mask(whole, findSpans(whole, patterns), whole.length), 'latin1').toString('utf8');
    },
  };
};
