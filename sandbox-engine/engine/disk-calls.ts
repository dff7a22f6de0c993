// The calls about what Sandlot has on disk.

import { createDiskLedger } from './disk-ledger.ts';
import type { Handlers, House } from './house.ts';

/** Makes the handlers of `disk.*`. */
export const createDiskCalls = (house: House): Pick<Handlers, 'disk.usage'> => {
  const ledger = createDiskLedger(house);
  return { 'disk.usage': ({ refresh = false }) => (refresh ? ledger.measure() : ledger.last()) };
};
