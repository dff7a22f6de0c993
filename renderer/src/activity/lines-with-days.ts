// The lines of the activity log with the days between them. Pure.
import type { AuditEntry } from '../../../sandbox-engine/contract/model.ts';

export type ActivityLine = { kind: 'day'; day: string } | { kind: 'entry'; entry: AuditEntry };

const format = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** Each day stands once, before its first line. */
export const linesWithDays = (entries: readonly AuditEntry[]): ActivityLine[] => {
  let today = '';
  return entries.flatMap((entry): ActivityLine[] => {
    const day = format.format(new Date(entry.at));
    const line: ActivityLine = { kind: 'entry', entry };
    if (day === today) return [line];
    today = day;
    return [{ kind: 'day', day }, line];
  });
};
