// What the reporter of test-lines.ts wrote, read again.
import { readFileSync } from 'node:fs';
import type { TestLine } from './test-lines.ts';

/** The lines of one file in their order; throws where the file cannot be read. A last line that a kill cut short is left out. */
export const readTestLines = (path: string): TestLine[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as TestLine);
