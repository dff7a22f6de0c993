// What a runtime tells of the work and the disk of its containers, in our own types, and what moves a container to another place.
export interface ContainerUsage {
  /** Milliseconds of one processor since it started. */
  cpuMs: number;
  /** Over its own network since it started, both ways; 0 for one that has joined another's. */
  networkBytes: number;
}

export interface DiskUse {
  volumes: { name: string; bytes: number | null }[];
  /** Bytes that each has written over its image. */
  containers: { id: string; bytes: number }[];
  /** Of everybody who builds there; null where the runtime does not tell. */
  buildCacheBytes: number | null;
}

export interface UsageCalls {
  /** One look at its counters; the runtime does not wait for a second one. */
  readUsage: (containerId: string) => Promise<ContainerUsage>;
  /** Paths that are not as in its image, volumes apart. May take seconds. */
  listChanges: (containerId: string, signal: AbortSignal) => Promise<string[]>;
  /** Walks through all volumes: may take many seconds. */
  readDiskUse: (signal: AbortSignal) => Promise<DiskUse>;
  /** Bytes of each step of its history, oldest first; empty when there is no such image. */
  imageSteps: (imageId: string) => Promise<number[]>;
  renameContainer: (id: string, name: string) => Promise<void>;
  /** Takes it off every network that is its own, while it runs; one that has joined another's stays there. */
  leaveNetworks: (containerId: string) => Promise<void>;
}
