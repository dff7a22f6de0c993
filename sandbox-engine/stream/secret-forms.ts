// The spellings under which a secret may turn up in output: raw, base64 at its three alignments, URL and JSON escapes.
// Works on Latin-1 strings, one character a byte, so that a pattern can be sought in any bytes.

const shortestValue = 4;
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

/** encodeURIComponent that does not throw on half surrogates. */
const percentEncoded = (value: string): string => encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'));

const escapedForms = (value: string): string[] => {
  const url = percentEncoded(value);
  const strictUrl = url.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  const lowerHex = (text: string) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
  const json = JSON.stringify(value).slice(1, -1);
  const plainPath = percentEncoded(value).replaceAll('%2F', '/');
  const urls = [url, strictUrl, plainPath, url.replaceAll('%20', '+')];
  return [...urls, ...urls.map(lowerHex), json, json.replaceAll('/', '\\/')];
};

/** A terminal ends lines by CR LF, and a log shows a long value line by line. */
const lineForms = (value: string): string[] => {
  if (!value.includes('\n')) return [];
  const lines = value.split(/\r?\n/);
  return [lines.join('\r\n'), lines.join('\n'), ...lines.filter((line) => line.length >= shortestLine)];
};

/** All spellings of all values, longest first, as Latin-1 strings. Values of fewer than 4 characters are left out: masking them
 * would hit every second word. */
export const secretForms = (values: string[]): string[] => {
  const forms = new Set<string>();
  for (const value of values) {
    if (value.length < shortestValue) continue;
    const trimmed = value.trim();
    const spelled = [value, ...(trimmed.length >= shortestValue ? [trimmed] : [])].flatMap((text) => [
      text,
      ...escapedForms(text),
      ...lineForms(text),
    ]);
    for (const form of spelled) forms.add(latin1(form));
    for (const form of base64Forms(trimmed)) forms.add(form);
  }
  return [...forms].filter((form) => form.length >= shortestValue).sort((a, b) => b.length - a.length);
};
