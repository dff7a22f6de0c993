// Masks secret values in bytes that arrive in any pieces. Holds back the end of a piece while it may be the beginning of a secret;
// for how long is the caller's decision, by `release` and `flush`. Knows no streams and no lines.
import { createFormSearch, type FormSearch } from './form-search.ts';
import { maskedForms } from './secret-forms.ts';

export interface Secret {
  name: string;
  value: string;
}

/** The masking state of one byte stream: one for stdout, another for stderr. */
export interface StreamRedactor {
  /** Answers what is safe to show now; the rest follows with a later push, release or flush. */
  push: (bytes: Uint8Array) => Buffer;
  /** Answers what is held back, and remembers it: should it have been the beginning of a secret, the rest of that is masked. */
  release: () => Buffer;
  /** Answers what was held back, masked as far as it is a whole secret, and forgets it: no more will come. */
  flush: () => Buffer;
  /** How many bytes are held back now. */
  held: () => number;
}

export interface Redactor {
  openStream: () => StreamRedactor;
  redactText: (text: string) => string;
  /** False while there is nothing to mask: bytes pass untouched. */
  isMasking: () => boolean;
  /** Exchanges the values; streams that are open mask by them from their next byte on. */
  set: (secrets: readonly Secret[]) => void;
}

interface Span {
  from: number;
  to: number;
}

/** What stands in the place of a secret. */
export const secretMask = '***';

const maskBytes = Buffer.from(secretMask);
const nothing = Buffer.alloc(0);

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Spans to mask, those that overlap joined into one so that no tail of a second secret is left over. */
const findSpans = (bytes: Buffer, search: FormSearch): Span[] => {
  const spans: Span[] = [];
  for (let found = search.next(bytes, 0); found !== null; found = search.next(bytes, found.at + 1)) {
    const last = spans.at(-1);
    const to = found.at + found.length;
    if (last !== undefined && found.at < last.to) last.to = Math.max(last.to, to);
    else spans.push({ from: found.at, to });
  }
  return spans;
};

/** The bytes between `from` and `end` with their secrets masked; a span that was begun before `from` is masked from there on. */
const mask = (bytes: Buffer, spans: readonly Span[], from: number, end: number): Buffer => {
  const parts: Buffer[] = [];
  let at = from;
  for (const span of spans) {
    if (span.from >= end) break;
    if (span.to <= from) continue;
    if (span.from > at) parts.push(bytes.subarray(at, span.from));
    parts.push(maskBytes);
    at = span.to;
  }
  if (at < end) parts.push(bytes.subarray(at, end));
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
};

const openMaskingStream = (search: () => FormSearch | null): StreamRedactor => {
  let kept: Buffer = nothing;
  /** How much of what is kept was shown already. */
  let shown = 0;

  /** Shows up to `end`, and what of a secret that begins before it reaches beyond. */
  const take = (bytes: Buffer, end: number, spans: readonly Span[]): Buffer => {
    const out = mask(bytes, spans, shown, end);
    const until = Math.max(end, spans.findLast(({ from }) => from < end)?.to ?? 0);
    kept = until < bytes.length ? Buffer.from(bytes.subarray(until)) : nothing;
    shown = Math.max(0, shown - until);
    return out;
  };
  const rest = (): Buffer => {
    const forms = search();
    return mask(kept, forms === null ? [] : findSpans(kept, forms), shown, kept.length);
  };

  return {
    push: (given) => {
      const forms = search();
      const bytes = kept.length === 0 ? asBuffer(given) : Buffer.concat([kept, given]);
      if (forms === null) return take(bytes, bytes.length, []);
      const spans = findSpans(bytes, forms);
      const end = forms.beginsAt(bytes);
      // A found secret that reaches into the held end may be the shorter of two: it waits with it, unless that grows for ever.
      const reaching = spans.find(({ to }) => to > end);
      const isWaiting = reaching !== undefined && bytes.length - reaching.from < 4 * forms.longest + 65_536;
      return take(bytes, isWaiting ? Math.min(end, reaching.from) : end, spans);
    },
    release: () => {
      const out = rest();
      shown = kept.length;
      return out;
    },
    flush: () => {
      const out = rest();
      kept = nothing;
      shown = 0;
      return out;
    },
    held: () => kept.length - shown,
  };
};

const searchFor = (secrets: readonly Secret[]): FormSearch | null => {
  const forms = maskedForms(secrets.map(({ value }) => value));
  return forms.length === 0 ? null : createFormSearch(forms.map((form) => Buffer.from(form, 'latin1')));
};

/** Makes the mask for these values and their encodings; without a value worth masking, bytes pass through untouched. */
export const createRedactor = (secrets: readonly Secret[] = []): Redactor => {
  let search = searchFor(secrets);
  return {
    openStream: () => openMaskingStream(() => search),
    redactText: (text) => {
      if (search === null) return text;
      const bytes = Buffer.from(text, 'utf8');
      const spans = findSpans(bytes, search);
      return spans.length === 0 ? text : mask(bytes, spans, 0, bytes.length).toString('utf8');
    },
    isMasking: () => search !== null,
    set: (now) => {
      search = searchFor(now);
    },
  };
};
