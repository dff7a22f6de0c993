// What the Setup column reads, and what is said of an image: the same words and colours on every page.
import './verdict.css';
import { IconBan } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { ImageState, SetupVerification } from '../../../sandbox-engine/contract/model.ts';
import type { RowPart } from './RowList.tsx';
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

/** A verdict as it is called on the page. */
export const verdictWord = (label: SetupVerification['label']): string => (label === 'Never' ? 'Not tested' : label);

/** Where one sees what a run was kept from. */
const blockedPlace = (environmentId: string, runId: string): string => `/environments/${environmentId}/setup?run=${runId}&side=test`;

interface BlockedMarkProps {
  blocked: NonNullable<SetupVerification['blocked']>;
  environmentId: string | undefined;
  focus: RowPart | undefined;
}

/** That the script passed without all that it wanted, with a sign of its own. */
const BlockedMark = ({ blocked: { destinations, setup_run_id: runId }, environmentId, focus }: BlockedMarkProps) => {
  const mark = (
    <>
      <IconBan size={13} stroke={1.9} aria-hidden="true" />
      <span className="visually-hidden">, </span>
      {destinations} blocked
    </>
  );
  if (environmentId === undefined) return <span className="verdict-blocked tone-warn">{mark}</span>;
  return (
    <Link
      href={blockedPlace(environmentId, runId)}
      className="verdict-blocked is-link tone-warn"
      title="What it was, and the way to allow it"
      {...focus}
    >
      {mark}
    </Link>
  );
};

interface VerdictProps {
  verification: SetupVerification;
  /** Something else is wrong with the environment. */
  isMuted?: boolean;
  /** Leads to what was blocked; not where it stands in a link already. */
  environmentId?: string;
  /** Of two lines, where it stands in a narrow column. */
  isStacked?: boolean;
  /** Where it is in a row of a list. */
  focus?: RowPart;
}

/** The setup verdict of an environment. */
export const Verdict = ({ verification, isMuted = false, environmentId, isStacked = false, focus }: VerdictProps) => (
  <span title={verification.message} className={isStacked ? 'verdict is-stacked' : 'verdict'}>
    <Status
      tone={isMuted && verdictTones[verification.label] === 'ok' ? 'plain' : verdictTones[verification.label]}
      label={verdictWord(verification.label)}
      isHollow={verification.label === 'Never' || verification.label === 'Ready'}
    />
    {verification.blocked && <BlockedMark blocked={verification.blocked} environmentId={environmentId} focus={focus} />}
  </span>
);

const imageTones: Record<ImageState['state'], Tone> = { active: 'ok', stale: 'warn', missing: 'bad', none: 'plain' };
const imageLabels: Record<ImageState['state'], string> = { active: 'Pinned', stale: 'Stale', missing: 'Missing', none: 'Not built' };

interface ImageBadgeProps {
  image: ImageState;
  /** Whether the newest build failed: then there is no image of the recipe as it is, unless one is pinned. */
  hasFailed?: boolean;
}

/** The pinned image of an environment. */
export const ImageBadge = ({ image, hasFailed = false }: ImageBadgeProps) => {
  const isWithout = hasFailed && image.state !== 'active';
  const tone = isWithout ? 'bad' : imageTones[image.state];
  return (
    <span title={isWithout ? `The latest build failed. ${image.message}` : image.message}>
      <Status tone={tone} label={isWithout ? 'Build failed' : imageLabels[image.state]} isHollow={!isWithout && image.state === 'none'} />
    </span>
  );
};

/** That a build failed since the one that is pinned and can be used; nothing otherwise. */
export const FailedSince = ({ image, hasFailed }: Required<ImageBadgeProps>) =>
  hasFailed && image.state === 'active' ? (
    <span className="tone-warn clip" title="Sessions start from the build that is pinned. The one after it failed.">
      latest build failed
    </span>
  ) : null;

interface EnvironmentBadgeProps extends Required<ImageBadgeProps> {
  verification: SetupVerification;
  environmentId: string;
  isBuilding: boolean;
}

/** How an environment is, in one place: what is under way or stands in the way first. */
export const EnvironmentBadge = ({ image, verification, hasFailed, isBuilding, environmentId }: EnvironmentBadgeProps) => {
  if (isBuilding) return <Status tone="run" label="Building" />;
  const isImageFine = image.state === 'active' || (image.state === 'none' && !hasFailed);
  return (
    <>
      {isImageFine ? (
        <Verdict verification={verification} environmentId={environmentId} />
      ) : (
        <ImageBadge image={image} hasFailed={hasFailed} />
      )}
      <FailedSince image={image} hasFailed={hasFailed} />
    </>
  );
};
