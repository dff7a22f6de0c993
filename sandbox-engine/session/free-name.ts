// The name that a session gets when nobody gave it one: that of its environment, told apart by a number from all others. Pure.

const longest = 256;

/** `wanted` when it is free, else with the smallest number from 2 on that makes it so. */
export const freeName = (wanted: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const ending = ` ${number}`;
    const name = `${wanted.slice(0, longest - ending.length)}${ending}`;
    if (!taken.has(name)) return name;
  }
};
