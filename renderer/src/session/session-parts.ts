// The tabs of a session beside its terminals and its network, in their order; each is loaded when it is first looked at.
import { type ComponentType, lazy } from 'react';
import type { Session } from '../../../sandbox-engine/contract/model.ts';

export interface SessionPart {
  /** Its place in the address: `/sessions/ID/part`. */
  id: string;
  label: string;
  Part: ComponentType<{ session: Session }>;
  /** Which sessions have it; all unless said. */
  isFor?: (session: Session) => boolean;
}

/** The parts. */
export const sessionParts: readonly SessionPart[] = [
  { id: 'files', label: 'Files', Part: lazy(async () => ({ default: (await import('./FilesPart.tsx')).FilesPart })) },
  { id: 'changes', label: 'Changes', Part: lazy(async () => ({ default: (await import('./ChangesPart.tsx')).ChangesPart })) },
  { id: 'ports', label: 'Ports', Part: lazy(async () => ({ default: (await import('./PortsPart.tsx')).PortsPart })) },
  { id: 'activity', label: 'Activity', Part: lazy(async () => ({ default: (await import('./ActivityPart.tsx')).ActivityPart })) },
  { id: 'tape', label: 'Tape', Part: lazy(async () => ({ default: (await import('./TapePart.tsx')).TapePart })) },
  {
    id: 'screen',
    label: 'Screen',
    Part: lazy(async () => ({ default: (await import('./ScreenPart.tsx')).ScreenPart })),
    isFor: ({ computer_use }) => computer_use === true,
  },
];
