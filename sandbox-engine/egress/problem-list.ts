// Gathers what is wrong with a policy, each with its place, and stops when nobody would read further.
import type { PolicyErrorCode, PolicyProblem } from '../contract/model.ts';

const mostProblems = 100;

export interface ProblemList {
  add: (code: PolicyErrorCode, path: string, message: string, suggestion?: string) => void;
  list: () => PolicyProblem[];
}

/** One step of a JSON pointer. Source: RFC 6901. */
export const step = (part: string | number): string => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** A pointer as people write it: `rules[2].hosts[0]`. */
export const placeOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((part, at) => (/^\d+$/.test(part) ? `[${part}]` : `${at === 0 ? '' : '.'}${part.replaceAll('~1', '/').replaceAll('~0', '~')}`))
    .join('');

/** Makes an empty list; what comes after the hundredth problem is dropped. */
export const createProblemList = (): ProblemList => {
  const problems: PolicyProblem[] = [];
  return {
    add: (code, path, message, suggestion) => {
      if (problems.length < mostProblems) problems.push({ code, path, message, ...(suggestion === undefined ? {} : { suggestion }) });
    },
    list: () => problems,
  };
};
