import { SandlotError } from '../base/errors.ts';

/** Where a page of attempts ended. @throws invalid_request for text that no page gave out */
export const readPlace = (cursor: string): number => {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new SandlotError('invalid_request', '"after" is not a place that the log gave out. Leave it out to begin with the newest.', {
    details: { path: '/after' },
  });
};
