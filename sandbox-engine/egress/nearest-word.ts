// Finds the word that was probably meant among a few known ones.

const distance = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [index, character] of [...left].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= right.length; column += 1) {
      const swap = (row[column - 1] ?? 0) + (right[column - 1] === character ? 0 : 1);
      next.push(Math.min(swap, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? right.length;
};

/** ` Did you mean "x"?`, or nothing when no known word is near. */
export const didYouMean = (word: string, known: readonly string[]): string => {
  if (word.length > 40) return '';
  const near = known
    .map((one) => ({ one, away: distance(word.toLowerCase(), one) }))
    .sort((left, right) => left.away - right.away)
    .find(({ one, away }) => away <= Math.ceil(one.length / 3));
  return near === undefined ? '' : ` Did you mean "${near.one}"?`;
};
