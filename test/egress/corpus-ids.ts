// Every id of the corpus, so that none can be missing unnoticed. Source: NETWORK.md 2.

const some = (letter: string, numbers: string): string[] => numbers.split(' ').map((number) => letter + number);

export const corpusIds: readonly string[] = [
  ...some('A', '01 02 03 04 05 07 08 09 10 11 12 13 15 17 18 19 20 21 22 23 24 25 26 27'),
  ...some('B', '01 02 03 04 05 06 08 09 10 12 13 15 16'),
  ...some('C', '01 02 03 04 05 06 08 09 10 12 13 14 15 16 17 18 19 20 21 23'),
  ...some('D', '01 02 03 05 06 08 09 10 11 12 13 14 15 16 17 18 19 20 22 23 24 25 27 28 29 30 31 32 33 35 36 37 38 39'),
  ...some('E', '01 02 03 04 06 07 08 10 11 12 13 14'),
  ...some('F', '01 02 03 04 05 06 08 09 10 11 12 13 14'),
  ...some('G', '01 02 03 04 05 06 08 09 11 12 13 14 15 16 17 18 19 20 21 22 23 25 26'),
  ...some('H', '01 02 03 04 05 07 09 10 11 12 13'),
  ...some('I', '01 02 03 04 05 06 07 08 09'),
  ...some('J', '01 03 04 05 06 07 08 09 10 11 12 13 15 16'),
  ...some('K', '01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 21'),
];

/** The ids that the name of a test claims: those before a colon, at its beginning or after the names of its groups. */
export const idsIn = (testName: string): string[] =>
  [...testName.matchAll(/\b((?:[A-K]\d\d(?:, )?)+):/g)].flatMap(([, list = '']) => list.split(', '));
