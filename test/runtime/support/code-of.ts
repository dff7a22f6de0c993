// What a promise that should be refused was refused with.
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';

/** The code of the error; `none` when there was no error, its text when it is not one of ours. */
export const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'none';
  } catch (thrown) {
    return thrown instanceof SandlotError ? thrown.code : String(thrown);
  }
};
