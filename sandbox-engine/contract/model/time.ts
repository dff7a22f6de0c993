// Times are ISO 8601 in UTC ending in Z; durations are milliseconds.
import { z } from 'zod';

export const isoTime = z.iso.datetime({ precision: 3 });
export const milliseconds = z.number().nonnegative();
