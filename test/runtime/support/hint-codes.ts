// The kinds of hint that the product knows, read from its rules.
import { readdirSync, readFileSync } from 'node:fs';

const room = new URL('../../../sandbox-engine/setup/', import.meta.url);
const rule = /\b(?:when|byCode|byCommand)\(\s*'(\w+)'|\bcode: '(\w+)'/g;

/** Each code once, in the order of the alphabet. */
export const hintCodes = (): string[] => {
  const files = readdirSync(room).filter((name) => /^hints?(-.*)?\.ts$/.test(name));
  const text = files.map((name) => readFileSync(new URL(name, room), 'utf8')).join('\n');
  return [...new Set([...text.matchAll(rule)].map((found) => found[1] ?? found[2] ?? ''))].sort();
};
