// Takes the cookie of Sandlot's own page out of requests to what runs in a sandbox. Browsers send cookies to every port of a host, so a page
// out of a sandbox, shown at 127.0.0.1, would be told it. Looks only at lines that begin a cookie header, changes no length and holds
// nothing back. It cannot see into TLS.
// Source: RFC 6265 8.5 (cookies are not isolated by port).

const header = Buffer.from('okie:');
const name = Buffer.from('sandlot_');
const [newline, semicolon, equals, filler] = [0x0a, 0x3b, 0x3d, 0x78];

type Place = 'elsewhere' | 'header' | 'number' | 'value';

interface MaskState {
  place: Place;
  /** Bytes of `header` or `name` that the last bytes were. */
  matched: number;
}

/** How much of a word is matched after this byte. No word here begins anew within itself, but with its first letter. */
const step = (word: Buffer, matched: number, byte: number): number => {
  if (byte === word[matched]) return matched + 1;
  return byte === word[0] ? 1 : 0;
};

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const endsValue = (byte: number): boolean => byte === semicolon || byte <= 0x20;

const inHeader = (state: MaskState, byte: number): void => {
  state.matched = step(name, state.matched, byte);
  if (state.matched < name.length) return;
  state.matched = 0;
  state.place = 'number';
};

const inNumber = (state: MaskState, byte: number): void => {
  if (!isDigit(byte)) state.place = byte === equals ? 'value' : 'header';
};

/** One byte of a cookie header; answers what goes on in its place. */
const pass = (state: MaskState, byte: number): number => {
  if (byte === newline) Object.assign(state, { place: 'elsewhere', matched: 0 });
  else if (state.place === 'header') inHeader(state, byte);
  else if (state.place === 'number') inNumber(state, byte);
  else if (endsValue(byte)) state.place = 'header';
  else return filler;
  return byte;
};

/** Where the next cookie header's line begins; the end of the bytes when there is none, with what of one they may end with. */
const findHeader = (state: MaskState, bytes: Buffer, from: number): number => {
  let at = from;
  while (state.matched > 0 && at < bytes.length) {
    state.matched = step(header, state.matched, bytes[at] ?? 0);
    at += 1;
    if (state.matched < header.length) continue;
    Object.assign(state, { place: 'header', matched: 0 });
    return at;
  }
  const found = bytes.indexOf(header, at);
  if (found >= 0) {
    state.place = 'header';
    return found + header.length;
  }
  for (let length = header.length - 1; length > 0 && state.matched === 0; length -= 1) {
    if (bytes.subarray(at).subarray(-length).equals(header.subarray(0, length))) state.matched = length;
  }
  return bytes.length;
};

/** Makes the mask of one connection; it changes the bytes where they are. */
export const createCookieMask = (): ((bytes: Buffer) => Buffer) => {
  const state: MaskState = { place: 'elsewhere', matched: 0 };
  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      if (state.place === 'elsewhere') at = findHeader(state, bytes, at);
      else {
        bytes[at] = pass(state, bytes[at] ?? 0);
        at += 1;
      }
    }
    return bytes;
  };
};
