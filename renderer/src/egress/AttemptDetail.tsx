// One attempt, or one destination, in full: what became of it and why, what caused it, and how to allow it.
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ContactedDestination, LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';
import { isLive } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { EgressVerdict } from '../ui/EgressVerdict.tsx';
import { Facts } from '../ui/Facts.tsx';
import { formatBytes, formatDuration } from '../ui/format.ts';
import { AllowBox } from './AllowBox.tsx';
import { canGrant, causeText, destinationText, reasonWord } from './egress-words.ts';

type Fact = readonly [string, ReactNode];

const when = (iso: string): string => new Date(iso).toLocaleString('en-GB');

const Frame = ({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) => (
  <aside className="egress-detail" aria-label={`About ${title}`}>
    <div className="egress-detail-head">
      <h2 className="mono clip" title={title}>
        {title}
      </h2>
      <ActionIcon aria-label="Close" onClick={onClose}>
        <IconX size={15} />
      </ActionIcon>
    </div>
    {children}
  </aside>
);

const Origin = ({ attempt }: { attempt: LoggedAttempt }) => {
  const session = useStored((state) => (attempt.session_id === null ? undefined : state.sessions[attempt.session_id]));
  if (attempt.session_id !== null)
    return (
      <Link href={`/sessions/${attempt.session_id}`} className="link">
        {session?.name ?? 'Session'}
      </Link>
    );
  return (
    <Link href={`/environments/${attempt.environment_id}/setup`} className="link">
      Setup run
    </Link>
  );
};

const Cause = ({ attempt }: { attempt: LoggedAttempt }) => {
  const { cause, setup_run_id } = attempt;
  const line = useStored((state) => {
    const run = setup_run_id === null ? undefined : state.setupRuns[setup_run_id];
    return cause?.kind === 'setup_line' ? run?.script.split('\n')[cause.line - 1]?.trim() : undefined;
  });
  const terminal = useStored((state) => (cause?.kind === 'terminal' ? state.terminals[cause.terminal_id]?.title : undefined));
  return (
    <span>
      {causeText(attempt)} {line !== undefined && <code className="mono">{line}</code>}
      {terminal}
    </span>
  );
};

const attemptFacts = (attempt: LoggedAttempt): Fact[] => {
  const { at, protocol, mode, count, bytes_sent, bytes_received, duration_ms, policy_revision, detail, reason } = attempt;
  return [
    ['Time', when(at)],
    ['From', <Origin key="from" attempt={attempt} />],
    ...(attempt.cause === null ? [] : [['Cause', <Cause key="cause" attempt={attempt} />] as const]),
    [
      'Reason',
      <code key="reason" className="mono">
        {reason}
      </code>,
    ],
    ...(detail === null ? [] : [['Detail', detail] as const]),
    ['Protocol', `${protocol}, ${mode === 'explicit' ? 'by the proxy’s address' : 'straight to the destination'}`],
    ...(count > 1 ? [['Counted', `${count} alike`] as const] : []),
    ['Sent / received', `${formatBytes(bytes_sent)} / ${formatBytes(bytes_received)}`],
    ['Took', duration_ms === null ? 'still open' : formatDuration(duration_ms)],
    ['Policy', `revision ${policy_revision}`],
  ];
};

/** The session that a grant can be for: the one that tried it, while it lives. */
const useLiveSession = (id: string | null): string | null =>
  useStored((state) => {
    const session = id === null ? undefined : state.sessions[id];
    return session && isLive(session) ? session.id : null;
  });

/** One attempt. */
export const AttemptDetail = ({ attempt, onClose }: { attempt: LoggedAttempt; onClose: () => void }) => {
  const sessionId = useLiveSession(attempt.session_id);
  return (
    <Frame title={destinationText(attempt)} onClose={onClose}>
      <p className="egress-sentence">
        <EgressVerdict verdict={attempt.verdict} /> {attempt.sentence}
      </p>
      {attempt.verdict === 'blocked' && canGrant(attempt) && (
        <AllowBox
          environmentId={attempt.environment_id}
          sessionId={sessionId}
          destination={destinationText(attempt)}
          reason={attempt.reason}
          onGranted={() => undefined}
        />
      )}
      <Facts items={attemptFacts(attempt)} />
    </Frame>
  );
};

interface DestinationDetailProps {
  destination: ContactedDestination;
  /** null: several environments are looked at, so that nobody knows whose policy is meant. */
  environmentId: string | null;
  sessionId: string | null;
  onClose: () => void;
  onGranted: () => void;
}

const destinationFacts = (one: ContactedDestination): Fact[] => [
  ['Allowed', one.allowed.toLocaleString('en-GB')],
  ['Blocked', one.blocked.toLocaleString('en-GB')],
  ['Last reason', reasonWord(one.last_reason)],
  ['Protocols', one.protocols.join(', ')],
  ['First', when(one.first_at)],
  ['Last', when(one.last_at)],
  ['Sent / received', `${formatBytes(one.bytes_sent)} / ${formatBytes(one.bytes_received)}`],
];

/** One destination with all that was tried at it. */
export const DestinationDetail = ({ destination, environmentId, sessionId, onClose, onGranted }: DestinationDetailProps) => {
  const live = useLiveSession(sessionId);
  const { now, last_reason, last_verdict } = destination;
  return (
    <Frame title={destinationText(destination)} onClose={onClose}>
      {now !== null && (
        <p className="egress-sentence">
          <span className="dim">Now:</span> <EgressVerdict verdict={now.verdict} /> {now.sentence}
        </p>
      )}
      {environmentId === null && <p className="egress-refusal">Choose one environment to see what its policy says now, and to allow it.</p>}
      {environmentId !== null && last_verdict === 'blocked' && now?.how_to_allow && canGrant(destination) && (
        <AllowBox
          environmentId={environmentId}
          sessionId={live}
          destination={destinationText(destination)}
          reason={last_reason}
          onGranted={onGranted}
        />
      )}
      <Facts items={destinationFacts(destination)} />
    </Frame>
  );
};
