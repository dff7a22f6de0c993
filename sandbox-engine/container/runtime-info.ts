// What a container runtime says of itself.
// Source: Docker Engine API, /info and /version.
export type RuntimeKind = 'docker' | 'podman';

export interface RuntimeInfo {
  kind: RuntimeKind;
  version: string;
  apiVersion: string;
  minApiVersion: string;
  /** As in an image config: `amd64`, `arm64`. */
  architecture: string;
  rootless: boolean;
  cpus: number;
  memoryBytes: number;
  /** BuildKit is embedded in the daemon. */
  hasBuildKit: boolean;
  storageDriver: string;
  /** It runs under another kernel than this program: in a virtual machine, or on another machine. */
  isElsewhere: boolean;
  /** Where it keeps images, as its own machine sees it; empty when it does not say. */
  rootFolder: string;
}
