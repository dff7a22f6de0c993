// How a verdict is called on the command line.
import type { EnvironmentView } from '../../sandbox-engine/contract/model.ts';

/** The label, and what its run was kept from: `Verified, 2 blocked`. */
export const verdictText = ({ setup_verification: { label, blocked } }: EnvironmentView): string =>
  blocked === undefined ? label : `${label}, ${blocked.destinations} blocked`;
