// Where a page of a newest-first list ended: the instant and id of its last row, so that new rows never shift it.
import { SandlotError } from '../base/errors.ts';

export interface Position {
  createdMs: number;
  id: string;
}

/** Before the newest row of any list. */
export const beginning: Position = { createdMs: Number.MAX_SAFE_INTEGER, id: '' };

/** Opaque to clients. */
export const writeCursor = ({ createdMs, id }: Position): string => Buffer.from(`1:${createdMs}:${id}`).toString('base64url');

/** @throws invalid_request for text that writeCursor did not make. */
export const readCursor = (cursor: string): Position => {
  const [, createdMs, id] = /^1:(\d{1,15}):((?:env|agt|bld|run|ses)_[0-9a-z]{26})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const position = { createdMs: Number(createdMs), id: id ?? '' };
  if (id === undefined || writeCursor(position) !== cursor) {
    throw new SandlotError('invalid_request', 'The cursor is not one that a list gave out. Leave it out to begin with the newest.', {
      details: { path: '/cursor' },
    });
  }
  return position;
};
