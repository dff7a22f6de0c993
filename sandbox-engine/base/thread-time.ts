/** Milliseconds that pass alike in all threads of this process, however the clock is set. Source: process.hrtime of Node. */
export const threadTime = (): number => Number(process.hrtime.bigint()) / 1e6;
