/** The time for which this process has computed, so that a busy machine fails no test of speed. */
export const cpuMs = (): number => process.cpuUsage().user / 1000;
