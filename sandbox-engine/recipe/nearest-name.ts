// Finds the name that was probably meant. Pure.

const distance = (left: string, right: string): number => {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const change = left[row - 1] === right[column - 1] ? 0 : 1;
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + change));
    }
    previous = current;
  }
  return previous[right.length] ?? right.length;
};

/** Answers the known name that is nearest to what was written, or null when none is near enough to be meant. */
const nearestName = (written: string, known: readonly string[]): string | null => {
  if (written.length > 64) return null;
  const lower = written.toLowerCase();
  let best: { name: string; score: number } | null = null;
  for (const name of known) {
    const isPart = lower.length >= 3 && (name.startsWith(lower) || lower.startsWith(name));
    const score = isPart ? 1 : distance(lower, name);
    if (score <= Math.max(2, Math.floor(name.length / 3)) && (best === null || score < best.score)) best = { name, score };
  }
  return best?.name ?? null;
};

/** Says that a key is unknown, with the nearest known one, or all known ones when none is near. */
export const unknownKeyMessage = (path: string, key: string, known: readonly string[]): string => {
  const nearest = nearestName(key, known);
  const where = path === '' ? '' : ` in ${path}`;
  const advice = nearest === null ? `Known keys are ${known.join(', ')}.` : `Did you mean "${nearest}"?`;
  return `unknown key "${key.slice(0, 60)}"${where}. ${advice}`;
};
