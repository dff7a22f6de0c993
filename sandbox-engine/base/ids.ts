// Ids: a prefix that names the noun, then a lower-case ULID, so that they sort by time and may name engine objects.
// Source: ULID specification (monotonic within one millisecond); Docker names are [a-zA-Z0-9][a-zA-Z0-9_.-]*.
import { monotonicFactory } from 'ulid';

export type IdPrefix =
  | 'env'
  | 'bld'
  | 'pin'
  | 'ses'
  | 'trm'
  | 'exe'
  | 'run'
  | 'str'
  | 'req'
  | 'tpl'
  | 'att'
  | 'grt'
  | 'xfr'
  | 'agt'
  | 'scr';
export type NewId = (prefix: IdPrefix) => string;

/** Makes an id generator; tests pass their own clock. */
export const createIds = (now: () => number): NewId => {
  const next = monotonicFactory();
  return (prefix) => `${prefix}_${next(now()).toLowerCase()}`;
};
