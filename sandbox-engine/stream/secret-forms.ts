// The spellings under which a secret may turn up: raw, base64 at its three alignments, hex, and as URLs, JSON and shells escape it.
// Works on Latin-1 strings, one character a byte, so that a pattern can be sought in any bytes.

/** Characters. A shorter value is not masked: it would hit every second word. */
export const shortestMasked = 4;
/** Characters. A shorter value is not searched for in images: among so many bytes it would turn up by chance. */
export const shortestSearched = 8;
const shortestBase64 = 6;
const shortestLine = 8;

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** The base64 characters that depend on the value alone when `before` unknown bytes stand in front of it. */
const base64Core = (value: Buffer, before: number): string => {
  const encoded = Buffer.concat([Buffer.alloc(before), value]).toString('base64');
  return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + value.length) * 8) / 6));
};

const base64Forms = (value: string): string[] => {
  const bytes = Buffer.from(value, 'utf8');
  const cores = [0, 1, 2].map((before) => base64Core(bytes, before)).filter((core) => core.length >= shortestBase64);
  return cores.flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')]);
};

const hexForms = (value: string): string[] => {
  if (value.length < shortestMasked) return [];
  const hex = Buffer.from(value, 'utf8').toString('hex');
  return [hex, hex.toUpperCase()];
};

/** encodeURIComponent that does not throw on half surrogates. */
const percentEncoded = (value: string): string => encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'));

const urlForms = (value: string): string[] => {
  const url = percentEncoded(value);
  const strictUrl = url.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  const lowerHex = (text: string) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
  const plainPath = percentEncoded(value).replaceAll('%2F', '/');
  const urls = [url, strictUrl, plainPath, url.replaceAll('%20', '+')];
  return [...urls, ...urls.map(lowerHex)];
};

const inHex = (prefix: string, digits: number) => (character: string) =>
  `${prefix}${character.charCodeAt(0).toString(16).padStart(digits, '0')}`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };

const quotedForms = (value: string): string[] => {
  const json = JSON.stringify(value).slice(1, -1);
  // As `export -p`, `set -x` and `printf %q` print it.
  const shell = [
    value.replace(/["$`\\]/g, '\\$&'),
    value.replaceAll("'", "'\\''"),
    value.replace(/[ \t!"$&'()*,;<>?[\\\]^`{|}]/g, '\\$&'),
    value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t'),
  ];
  // As Python prints text that is not ASCII, and its bytes.
  const ascii = json.replace(/[\u0080-\uffff]/g, inHex('\\u', 4));
  const bytes = latin1(json).replace(/[\u0080-\u00ff]/g, inHex('\\x', 2));
  return [json, json.replaceAll('/', '\\/'), ascii, bytes, ...shell, value.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)];
};

/** Base64 as tools wrap it, line by line, where the value stands at the beginning: `base64` at 76 characters, `openssl base64` at 64. */
const wrappedBase64 = (value: string): string[] => {
  const encoded = base64Core(Buffer.from(value, 'utf8'), 0);
  return [76, 64].flatMap((width) =>
    encoded.length <= width ? [] : (encoded.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).filter((line) => line.length >= shortestLine),
  );
};

/** A terminal ends lines by CR LF, and a log shows a long value line by line. */
const wholeLineForms = (value: string): string[] => {
  const lines = value.split(/\r?\n/);
  return lines.length === 1 ? [] : [lines.join('\r\n'), lines.join('\n')];
};

const singleLineForms = (value: string): string[] => {
  const lines = value.split(/\r?\n/);
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= shortestLine);
};

const formsOf = (value: string, shortest: number, extra: (text: string) => string[]): string[] => {
  const trimmed = value.trim();
  const texts = trimmed.length >= shortest ? [value, trimmed] : [value];
  const spelled = texts.flatMap((text) => [text, ...urlForms(text), ...quotedForms(text), ...wholeLineForms(text), ...extra(text)]);
  return [...spelled.map(latin1), ...base64Forms(trimmed), ...hexForms(trimmed)];
};

const longestFirst = (forms: string[], shortest: number): string[] =>
  [...new Set(forms)].filter((form) => form.length >= shortest).sort((a, b) => b.length - a.length);

/** All spellings to mask, longest first, as Latin-1 strings. */
export const maskedForms = (values: string[]): string[] => {
  const worth = values.filter((value) => value.length >= shortestMasked);
  return longestFirst(
    worth.flatMap((value) => formsOf(value, shortestMasked, (text) => [...singleLineForms(text), ...wrappedBase64(text)])),
    shortestMasked,
  );
};

/** The spellings of one value to search images for: of the whole value only, since a single line of a key or a configuration is common. */
export const searchedForms = (value: string): string[] =>
  value.trim().length < shortestSearched
    ? []
    : longestFirst(
        formsOf(value, shortestSearched, () => []),
        shortestSearched,
      );
