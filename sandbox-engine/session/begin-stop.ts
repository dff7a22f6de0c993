import type { Session } from '../contract/model.ts';
import type { SessionBook } from './session-book.ts';

/** Writes down that a session is being stopped, and what is said of it afterwards: a host that is killed meanwhile leaves it to the next
 *  one. A disk that takes nothing keeps no sandbox running. */
export const beginStop = async (book: SessionBook, id: string, message: string | null): Promise<Session> => {
  await book.change(id, { stopping: { message } }).catch(() => undefined);
  return await book.get(id);
};
