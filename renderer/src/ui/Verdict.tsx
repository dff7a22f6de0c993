// What the Setup column reads, and what is said of an image: the same words and colours on every page.
import type { ImageState, Session, SetupVerification } from '../../../sandbox-engine/contract/model.ts';
import { Status, type Tone } from './Status.tsx';

const verdictTones: Record<SetupVerification['label'], Tone> = {
  Ready: 'ok',
  Verified: 'ok',
  'Re-testing': 'run',
  Running: 'run',
  Failed: 'bad',
  Stale: 'warn',
  Never: 'plain',
  'Image failed': 'bad',
};

/** The setup verdict of an environment. */
export const Verdict = ({ verification }: { verification: SetupVerification }) => (
  <span title={verification.message}>
    <Status
      tone={verdictTones[verification.label]}
      label={verification.label}
      isHollow={verification.label === 'Never' || verification.label === 'Ready'}
    />
  </span>
);

const imageTones: Record<ImageState['state'], Tone> = { active: 'ok', stale: 'warn', missing: 'bad', none: 'plain' };
const imageLabels: Record<ImageState['state'], string> = { active: 'Active', stale: 'Stale', missing: 'Missing', none: 'Not built' };

/** The pinned image of an environment. */
export const ImageBadge = ({ image }: { image: ImageState }) => (
  <span title={image.message}>
    <Status tone={imageTones[image.state]} label={imageLabels[image.state]} isHollow={image.state === 'none'} />
  </span>
);

const sessionTones: Record<Session['status'], Tone> = { starting: 'run', running: 'ok', stopped: 'plain', failed: 'bad', ended: 'plain' };

/** How a session is. */
export const SessionStatus = ({ status }: { status: Session['status'] }) => (
  <Status
    tone={sessionTones[status]}
    label={status.charAt(0).toUpperCase() + status.slice(1)}
    isHollow={status === 'stopped' || status === 'ended'}
  />
);
