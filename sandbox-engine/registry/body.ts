// Whole nouns as JSON text in one column, and the instants they are sorted by.
import { SandlotError } from '../base/errors.ts';

export interface BodyRow {
  body: string;
}

/** The nouns of these rows, in their order. */
export const readBodies = <Noun>(rows: readonly BodyRow[]): Noun[] => rows.map((row) => JSON.parse(row.body) as Noun);

/** The noun of this row, or null without a row. */
export const readBody = <Noun>(row: BodyRow | undefined): Noun | null => (row === undefined ? null : (JSON.parse(row.body) as Noun));

/** Milliseconds since the epoch of a time that says its zone. @throws internal for one that does not: it would mean another instant elsewhere. */
export const instantOf = (time: string): number => {
  const instant = time.endsWith('Z') ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(instant))
    throw new SandlotError('internal', `A time in the registry must be ISO 8601 in UTC ending in Z, found "${time}".`);
  return instant;
};
