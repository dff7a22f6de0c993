// Numbers the instructions of a Dockerfile as the builders do, so that a step has one number whichever builder ran. Pure.
// Source: Dockerfile reference: parser directives, comments, line continuation, here-documents.

const escapeDirective = /^#\s*escape\s*=\s*(\S)/im;
const mayHoldDocuments = new Set(['RUN', 'COPY', 'ADD']);

const documentEnds = (line: string): string[] =>
  [...line.matchAll(/<<-?\s*["']?([A-Za-z_][A-Za-z0-9_]*)["']?/g)].map((match) => match[1] ?? '');

const wordOf = (line: string): string => /^[A-Za-z]+/.exec(line)?.[0].toUpperCase() ?? '';

/** The instruction words in order, upper case: `['FROM', 'RUN']`. */
export const instructionsOf = (dockerfile: string): string[] => {
  const continuation = escapeDirective.exec(dockerfile)?.[1] ?? '\\';
  const words: string[] = [];
  let continued = false;
  let ends: string[] = [];
  const readLine = (line: string): void => {
    if (!continued) words.push(wordOf(line));
    ends = mayHoldDocuments.has(words.at(-1) ?? '') ? documentEnds(line) : [];
    continued = line.endsWith(continuation);
  };
  for (const raw of dockerfile.split(/\r?\n/)) {
    const line = raw.trim();
    if (ends.length > 0) ends = line === ends[0] ? ends.slice(1) : ends;
    else if (line !== '' && !line.startsWith('#')) readLine(line);
  }
  return words;
};

// BuildKit numbers only what makes a layer; the classic builders number everything.
const numbered = new Set(['FROM', 'RUN', 'COPY', 'ADD', 'WORKDIR']);

/** Maps BuildKit's step `n` of `total` to the instruction's place in the Dockerfile (1-based); `n` itself where the counts disagree. */
export const placeOfBuildKitStep = (instructions: string[], n: number, total: number): number => {
  const places = instructions.flatMap((word, index) => (numbered.has(word) ? [index + 1] : []));
  return places.length === total ? (places[n - 1] ?? n) : n;
};
