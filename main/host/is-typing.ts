// The one call that comes with every key, recognised without its whole schema, which costs more than the call itself.
// Says yes only to what the schema takes as it is; everything else goes the ordinary way. test/unit/main/is-typing.test.ts compares the two.
const terminalId = /^trm_[0-9a-hjkmnp-tv-z]{26}$/;
const longestData = 65_536;

/** Whether this is surely a valid input of `terminals.write`. */
export const isTyping = (input: unknown): boolean => {
  if (input === null || typeof input !== 'object' || Object.getPrototypeOf(input) !== Object.prototype) return false;
  let keys = 0;
  for (const key in input) {
    if (key !== 'terminal_id' && key !== 'data') return false;
    keys += 1;
  }
  const { terminal_id: id, data } = input as Record<string, unknown>;
  return keys === 2 && typeof data === 'string' && data.length <= longestData && typeof id === 'string' && terminalId.test(id);
};
