// Says whether one entry of a package list is a package and nothing else: no option, no shell text, no second word.
// Source: Debian Policy 5.6.1, PEP 508, npm package specs, cargo install CRATE[@VER], gem NAME:VERSION, Go module paths.
import type { PackageManager } from '../contract/model.ts';

const url = String.raw`(?:git\+)?(?:https?|ssh)://[A-Za-z0-9._~:/?#@!&*+,;=%\[\]-]+`;
const pipVersion = `(?:===|==|~=|!=|<=|>=|<|>)[A-Za-z0-9.*+!_-]+`;

const grammar: Record<PackageManager, { pattern: RegExp; example: string }> = {
  apt: {
    pattern: /^[a-z0-9](?:[a-z0-9+.-]*[a-z0-9+.])?(?::[a-z0-9-]+)?(?:=[A-Za-z0-9.+:~-]+|\/[a-z0-9.-]+)?$/,
    example: '"jq" or "jq=1.6-2"',
  },
  cargo: { pattern: /^[A-Za-z0-9][A-Za-z0-9_-]*(?:@[=^~]?[0-9][0-9A-Za-z.+-]*)?$/, example: '"ripgrep" or "ripgrep@14.1.0"' },
  gem: { pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*(?::[0-9][0-9A-Za-z.]*)?$/, example: '"rake" or "rake:13.2.1"' },
  go: {
    pattern: /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?:\/[A-Za-z0-9._~-]+)+(?:@[A-Za-z0-9._+-]+)?$/,
    example: '"golang.org/x/tools/cmd/goimports@latest"',
  },
  npm: {
    pattern: new RegExp(
      `^(?:(?:@[A-Za-z0-9~][A-Za-z0-9._~-]*/)?[A-Za-z0-9~][A-Za-z0-9._~-]*(?:@[A-Za-z0-9.^~<>=*+:@/_-]+)?|${url}|github:[A-Za-z0-9._-]+/[A-Za-z0-9._#-]+)$`,
    ),
    example: '"typescript" or "@scope/name@1.2.3"',
  },
  pip: {
    pattern: new RegExp(
      String.raw`^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[A-Za-z0-9._,-]*\])?(?:${pipVersion}(?:,${pipVersion})*|@${url})?|${url})$`,
    ),
    example: '"ruff==0.6.9" or "uvicorn[standard]>=0.3"',
  },
};

/** Answers why an entry cannot be installed as it is, or null when it can. */
export const packageItemProblem = (manager: PackageManager, item: string): string | null => {
  const { pattern, example } = grammar[manager];
  const shown = JSON.stringify(item.slice(0, 80));
  if (item === '') return `an entry of ${manager} is empty. Write a package such as ${example}`;
  if (item.length > 300) return `${shown}... is longer than 300 characters`;
  if (item.startsWith('-')) return `${shown} looks like an option, not a package. Write a package such as ${example}`;
  if (/\s/.test(item)) return `${shown} holds white space. Write one package per entry, such as ${example}`;
  if (!pattern.test(item)) return `${shown} is not a package that ${manager} can install. Write it as ${example}`;
  return null;
};
