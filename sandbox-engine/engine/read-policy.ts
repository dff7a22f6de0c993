// The network policy of a body as it will be saved: checked by the egress room, its problems as one refusal with codes and places.
import { isSameJson } from '../base/canonical-json.ts';
import { SandlotError } from '../base/errors.ts';
import { type NetworkPolicy, networkPolicy, type PolicyProblem, type ResolvedPresets } from '../contract/model.ts';
import { checkPolicy } from '../egress/check-policy.ts';
import { importPolicy } from '../egress/import-policy.ts';

/** Where a value of the body stands in the file that it was read from. */
type Locate = (pointer: string) => { line: number; column: number } | null;

export interface PolicySource {
  /** What the environment has now; null for a new one. */
  stored: NetworkPolicy | null;
  presets: ResolvedPresets;
  /** Given for a file: then the documented forms of other systems are read too, and problems carry line and column. */
  locate?: Locate;
}

interface PlacedProblem extends PolicyProblem {
  line?: number;
  column?: number;
}

const shownInMessage = 5;

const refusal = (problems: PlacedProblem[]): SandlotError => {
  const [first] = problems;
  const texts = problems
    .slice(0, shownInMessage)
    .map(({ line, column, message }) => (line === undefined ? message : `${line}:${column}: ${message}`));
  const more = problems.length > shownInMessage ? ` (and ${problems.length - shownInMessage} more)` : '';
  const place = first?.line === undefined ? {} : { line: first.line, column: first.column };
  return new SandlotError('invalid_request', `${texts.join(' ')}${more}`, {
    details: { path: first?.path ?? '', code: first?.code ?? '', ...place, problems },
    nextAction: first?.suggestion === undefined ? (first?.message ?? '') : `Write ${JSON.stringify(first.suggestion)}.`,
  });
};

const isUnchanged = (given: unknown, stored: NetworkPolicy | null): boolean => {
  // The shape first: it does not look deeper than a policy goes, and the comparison does.
  const read = networkPolicy.safeParse(given);
  return stored !== null && read.success && isSameJson(read.data, stored);
};

/** The checked policy in its one spelling. One that is sent back as it is stored stays, whatever the check says today.
 *  @throws invalid_request with `details.problems`, each with code, path and message */
export const readPolicy = (given: unknown, { stored, presets, locate }: PolicySource): NetworkPolicy => {
  const { policy, sourcePath } = locate === undefined ? { policy: given, sourcePath: (path: string) => path } : importPolicy(given, stored);
  const checked = checkPolicy(policy, presets);
  if (checked.ok) return checked.policy;
  if (stored !== null && isUnchanged(given, stored)) return stored;
  const problems = checked.errors.map((error): PlacedProblem => {
    const path = `/network_policy${sourcePath(error.path)}`;
    return { ...error, path, ...locate?.(path) };
  });
  throw refusal(problems);
};
