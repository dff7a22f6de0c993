// Names that come out of a sandbox, as they are: a control character turns nothing round and hides nothing.

/** C0 and C1, and what turns the direction of text or is not seen. Source: Unicode Standard Annex 9, 2.1 to 2.6. */
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The name with each such character written out, as `\u202e`. Pure. */
export const plainName = (name: string): string =>
  name.replace(unseen, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
