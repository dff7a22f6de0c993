import type { Secret } from '../../../sandbox-engine/contract/model.ts';

/** What is said when a secret was set: whose sessions get it, if anybody's. Pure. */
export const setWords = ({ name, environments }: Pick<Secret, 'name' | 'environments'>): string =>
  environments.length === 0
    ? `${name} is set. No environment has it yet: choose it under Variables & secrets of one.`
    : `${name} is set. Sessions of ${environments.map((one) => one.name).join(', ')} get it in their next terminal or launch.`;
