/** `1 rule`, `2 rules`, `1,200 entries`: so many of a thing. `many` is for words that do not only take an s. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;
