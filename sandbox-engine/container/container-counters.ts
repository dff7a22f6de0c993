// What a container has used of its machine, in our own types.

/** What a container has used so far. null: its runtime does not say. */
export interface ContainerCounters {
  /** Nanoseconds of processor time in all. */
  cpuNs: number | null;
  /** Without pages that the kernel would give back at once. */
  memoryBytes: number | null;
  memoryLimitBytes: number | null;
  processes: number | null;
  processLimit: number | null;
  /** In all, over all interfaces of its own; null without any. */
  receivedBytes: number | null;
  sentBytes: number | null;
}
