// Case without meaning, for search in any script.

/** The same text for spellings that differ only in case, character by character (`ß` is `ss`, both small sigmas are one). */
export const foldCase = (text: string): string =>
  Array.from(text.normalize('NFC'), (character) => character.toUpperCase().toLowerCase()).join('');
