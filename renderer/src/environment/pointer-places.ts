// Finds where the values of a JSON text stand, so that a problem with a JSON pointer is shown at its line. Knows JSON, not policies.

export interface Place {
  /** 1-based. */
  line: number;
  /** 1-based. */
  column: number;
}

const blank = /\s/;

/** The offset of each value by its pointer; what cannot be read ends the search. */
const offsets = (text: string): Map<string, number> => {
  const found = new Map<string, number>();
  let at = 0;
  const skip = () => {
    while (at < text.length && blank.test(text[at] ?? '')) at += 1;
  };
  const readText = (): string => {
    const begin = at;
    at += 1;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at += 1;
    return JSON.parse(text.slice(begin, at)) as string;
  };
  const readEntries = (path: string, close: string, keyOf: (index: number) => string) => {
    at += 1;
    for (let index = 0; ; index += 1) {
      skip();
      if (text[at] === ',') at += 1;
      skip();
      if (at >= text.length || text[at] === close) break;
      readValue(`${path}/${keyOf(index)}`);
    }
    at += 1;
  };
  const readKey = (): string => {
    const key = readText().replaceAll('~', '~0').replaceAll('/', '~1');
    skip();
    if (text[at] !== ':') throw new SyntaxError('no colon');
    at += 1;
    return key;
  };
  const readValue = (path: string) => {
    skip();
    found.set(path, at);
    const first = text[at];
    if (first === '{') readEntries(path, '}', readKey);
    else if (first === '[') readEntries(path, ']', String);
    else if (first === '"') readText();
    else {
      const scalar = /^[^\s,\]}]+/.exec(text.slice(at))?.[0];
      if (scalar === undefined) throw new SyntaxError('no value');
      at += scalar.length;
    }
  };
  try {
    readValue('');
  } catch {
    // Until here it could be read.
  }
  return found;
};

/** The place of a pointer's value, or of the nearest value around it. */
export const placeOfPointer = (text: string, pointer: string): Place => {
  const known = offsets(text);
  let path = pointer;
  while (path !== '' && !known.has(path)) path = path.slice(0, path.lastIndexOf('/'));
  const before = text.slice(0, known.get(path) ?? 0).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
};
