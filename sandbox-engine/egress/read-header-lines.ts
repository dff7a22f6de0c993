// Reads the header lines of one HTTP/1 head, of a request or a response alike. Strict: whatever two parsers could read differently is a
// problem, not a header. Source: RFC 9112 2.2 and 5; RFC 9110 5.1 and 5.5.

/** One header as it came: its name, and its value without the spaces around it. */
export type Header = [name: string, value: string];

/** The headers in their order; `names` holds their names in lower case, at the same places. */
export interface HeaderLines {
  headers: Header[];
  names: string[];
}

const tokenText = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const outerSpaces = /^ | $/;
const space = 0x20;

/** Bytes that no head may hold: controls but for tabs, a CR or an LF that stands alone. A CR at the very end may still get its LF. */
export const forbiddenInHead = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?=[^\n])|(?<!\r)\n/;

/** Where a head ends. */
export const headEnd = Buffer.from('\r\n\r\n', 'latin1');

/** Says a character that is not allowed, for people. */
export const nameByte = (text: string, at: number): string => {
  const code = text.charCodeAt(at);
  if (code === 0x0d || code === 0x0a) return 'a line end that is not CR LF';
  return `the byte 0x${code.toString(16).padStart(2, '0')}`;
};

const trimSpaces = (text: string): string => {
  if (!outerSpaces.test(text)) return text;
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) === space) from += 1;
  while (to > from && text.charCodeAt(to - 1) === space) to -= 1;
  return text.slice(from, to);
};

/**
 * Reads the lines of `text` from `at` to its end; every line ends in CR LF, and the text holds nothing that `forbiddenInHead` finds.
 * Tabs are kept where they are, so that a value that has to be exact is not read leniently. A string says what is wrong.
 */
export const readHeaderLines = (text: string, at: number, most: number): HeaderLines | string => {
  const headers: Header[] = [];
  const names: string[] = [];
  for (let from = at; from < text.length; ) {
    if (headers.length === most) return `There are more than ${most} headers.`;
    const end = text.indexOf('\r\n', from);
    const colon = text.indexOf(':', from);
    if (colon === -1 || colon > end) return 'A header line has no colon, or continues the line before.';
    const name = text.slice(from, colon);
    if (!tokenText.test(name)) return 'The name of a header is not one word.';
    headers.push([name, trimSpaces(text.slice(colon + 1, end))]);
    names.push(name.toLowerCase());
    from = end + 2;
  }
  return { headers, names };
};

/** All values of one header; the name in lower case. */
export const valuesOf = ({ headers, names }: HeaderLines, name: string): string[] => {
  const values: string[] = [];
  for (let at = names.indexOf(name); at !== -1; at = names.indexOf(name, at + 1)) values.push((headers[at] as Header)[1]);
  return values;
};

/** The words of a header that is a list, in lower case, without the spaces around them. */
export const wordsOf = (lines: HeaderLines, name: string): readonly string[] => {
  const values = valuesOf(lines, name);
  if (values.length === 0) return values;
  const text = values.join(',').toLowerCase();
  return text.includes(',') ? text.split(',').map((word) => word.trim()) : [text.trim()];
};
