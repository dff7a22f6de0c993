// The tabs of a session beside its terminals and its network, in their order; each is loaded when it is first looked at.
import type { ComponentType } from 'react';
import type { Session } from '../../../sandbox-engine/contract/model.ts';

export interface SessionPart {
  /** Its place in the address: `/sessions/ID/part`. */
  id: string;
  label: string;
  Part: ComponentType<{ session: Session }>;
}

/** The parts. */
export const sessionParts: readonly SessionPart[] = [];
