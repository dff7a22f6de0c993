// Beside the terminals: how the launch went, the start script, and what this session is made of.
import { Modal, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk, useStreamSource } from '../store/actions.ts';
import { useGrants } from '../store/use-egress.ts';
import { Ago } from '../ui/Ago.tsx';
import { CopyText } from '../ui/Copy.tsx';
import { Explained } from '../ui/Explained.tsx';
import { Facts } from '../ui/Facts.tsx';
import { streamFeed } from '../ui/feed.ts';
import { cutMiddle, shortDigest, shortId } from '../ui/format.ts';
import { GateBadge } from '../ui/GateBadge.tsx';
import { LogView } from '../ui/LogView.tsx';
import { networkOf } from '../ui/network-words.ts';
import { SealBadge } from '../ui/SealBadge.tsx';
import { Status, type Tone } from '../ui/Status.tsx';
import { type ShownStep, StepList } from '../ui/StepList.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { KeptFacts } from './KeptFacts.tsx';

/** Steps whose names say little; others are shown by their name. */
const stepWords: Record<string, string> = {
  gate: 'Network gate',
  image: 'Find the image',
  create: 'Make the sandbox',
  start: 'Start the sandbox',
  secrets: 'Put in secret files',
  files: 'Bring its files',
  repository: 'Bring the repository',
  desktop: 'Start the desktop',
};

/** A session's launch steps as StepList shows them. */
export const launchSteps = (session: Session): ShownStep[] =>
  session.steps.map(({ name, status, message, ...step }) => ({
    name: stepWords[name] ?? name,
    status,
    message,
    startedAt: step.started_at,
    durationMs: step.duration_ms,
  }));

const StartScriptLog = ({ streamId }: { streamId: string }) => {
  const source = useStreamSource(streamId);
  const feed = useMemo(() => streamFeed(source), [source]);
  return (
    <div style={{ height: '60vh' }} className="code-field">
      <LogView label="Log of the start script" feed={feed} />
    </div>
  );
};

const startTones: Record<Session['start_script']['status'], Tone> = { none: 'plain', running: 'run', succeeded: 'ok', failed: 'bad' };

const startText = ({ status, exit_code }: Session['start_script'], isComing: boolean): string => {
  if (status === 'none') return isComing ? 'Not yet' : 'This environment has none';
  if (status === 'running') return 'Running in the background';
  return status === 'succeeded' ? 'Done' : `Failed with code ${exit_code ?? '?'}`;
};

const StartScript = ({ session }: { session: Session }) => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { start_script: start } = session;
  const ask = useAsk();
  const { run, isBusy } = useBusy('The start script was not run again');
  const isComing = session.status === 'starting' || session.steps.some(({ status }) => status === 'running');
  const isOver = start.status === 'failed' || start.status === 'succeeded';
  const retry = () => run(ask('sessions.retry_start_script', { session_id: session.id }));
  return (
    <div className="side-block">
      <h2 className="side-title">
        Start script
        <span className="grow" />
        {isOver && session.status === 'running' && (
          <UnstyledButton className="link" fz={12} disabled={isBusy} onClick={() => void retry()}>
            Run again
          </UnstyledButton>
        )}
        {start.stream_id && (
          <UnstyledButton className="link" fz={12} onClick={open}>
            Log
          </UnstyledButton>
        )}
      </h2>
      <Status tone={startTones[start.status]} label={startText(start, isComing)} isHollow={start.status === 'none'} />
      {start.status === 'failed' && (
        <div className="faint">The terminals work all the same. Look at the log, mend session_start in the recipe, then run it again.</div>
      )}
      {start.stream_id && (
        <Modal opened={isOpen} onClose={close} title="Start script" size="xl">
          <StartScriptLog streamId={start.stream_id} />
        </Modal>
      )}
    </div>
  );
};

const images = { prepared: 'Prepared by setup', active: 'Pinned image', default: 'Default base' };

/** Of a replaced sandbox also what of its setup is not there. */
const ImageFact = ({ session: { image_source, image_id, setup_left_out } }: { session: Session }) => {
  const text = `${images[image_source]}${image_id ? ` ${shortDigest(image_id)}` : ''}`;
  if (setup_left_out !== true) return text;
  return (
    <>
      {text},{' '}
      <Explained meaning="The sandbox was replaced, and /workspace stayed as it was. What setup put there did not come along, unless it was empty: run those lines in a terminal, or launch a new session.">
        /workspace as it was
      </Explained>
    </>
  );
};

/** What was granted beside the rules is said with them: "No access" alone would not be true. */
const NetworkFact = ({ session }: { session: Session }) => {
  const granted = useGrants({ session_id: session.id }).filter(
    ({ revoked_at, until, environment_id }) =>
      environment_id === session.environment_id && revoked_at === null && (until === null || Date.parse(until) > Date.now()),
  );
  return (
    <span title={networkOf(session).meaning}>
      {networkOf(session).word}
      {granted.length > 0 && `, ${granted.length} granted`}
    </span>
  );
};

/** The column. */
export const SessionSide = ({ session }: { session: Session }) => (
  <aside className="session-side" aria-label="About this session">
    {/* What was never there is not told of, and how far it came stands in the room itself. */}
    {session.steps.length > 0 && session.status !== 'failed' && (
      <div className="side-block is-flush">
        <h2 className="side-title">Launch</h2>
        <StepList steps={launchSteps(session)} label="Launch steps" />
      </div>
    )}
    {session.status !== 'failed' && (
      <>
        <StartScript session={session} />
        {/* Of one that ended nothing is kept. */}
        {session.status !== 'ended' && <KeptFacts session={session} />}
      </>
    )}
    <div className="side-block">
      <h2 className="side-title">Session</h2>
      <Facts
        items={[
          [
            'Environment',
            <Link key="environment" href={`/environments/${session.environment_id}`} className="link">
              {session.environment_name}
            </Link>,
          ],
          ['Revision', session.environment_revision],
          ['ID', <CopyText key="id" value={session.id} shown={shortId(session.id)} label="session id" />],
          ['Image', <ImageFact key="image" session={session} />],
          ['Network', <NetworkFact key="network" session={session} />],
          ...(session.gate_over === undefined ? [] : [['Rules held', <GateBadge key="gate" over={session.gate_over} />] as const]),
          ['Secrets', session.secrets.length === 0 ? 'None' : session.secrets.join(', ')],
          ...(session.secret_files.length === 0 ? [] : [['Secret files', session.secret_files.join(', ')] as const]),
          ...(session.seal === null
            ? []
            : [['Ways past the rules', <SealBadge key="seal" seal={session.seal} isOpen={session.observed} />] as const]),
          ['Runtime', session.runtime],
          ...(session.status === 'failed'
            ? []
            : [['Workspace', <CopyText key="volume" value={session.volume} shown={cutMiddle(session.volume)} label="volume" />] as const]),
          ['Started', <Ago key="started" at={session.started_at ?? session.created_at} />],
        ]}
      />
    </div>
  </aside>
);
