// What setup put into the workspace is in its image, and comes into a workspace only when that is new.
import type { Session } from '../contract/model.ts';
import type { LaunchPlan } from './session-parts.ts';

type Before = Pick<Session, 'image_source' | 'config' | 'setup_left_out'>;

/** Whether a sandbox after this plan, with the workspace as it is, is without what its setup put there. Pure. */
export const leavesSetupOut = (before: Before, { imageSource, config }: Pick<LaunchPlan, 'imageSource' | 'config'>): boolean => {
  if (imageSource !== 'prepared') return false;
  const isSameImage = before.image_source === 'prepared' && before.config?.['image'] === config?.['image'];
  return isSameImage ? before.setup_left_out === true : true;
};
