// One attempt, or one destination, in full: what became of it and why, what caused it, and how to allow it.
import { ActionIcon } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ContactedDestination, EgressGrant, LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';
import { useStored } from '../store/store.ts';
import { EgressVerdict } from '../ui/EgressVerdict.tsx';
import { reasonWord } from '../ui/egress-outcome.ts';
import { Facts } from '../ui/Facts.tsx';
import { formatBytes, formatCount, formatDuration, momentText } from '../ui/format.ts';
import { AllowBox } from './AllowBox.tsx';
import { canGrant, destinationText, fromText } from './egress-words.ts';
import { GrantedSince } from './GrantedSince.tsx';
import { useGrantFor, useLiveSession, useOrigin } from './use-attempt.ts';

type Fact = readonly [string, ReactNode];

const isInDialog = (target: EventTarget | null): boolean => target instanceof Element && target.closest('[role="dialog"]') !== null;

const Frame = ({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) => {
  useHotkeys([['Escape', (event) => (isInDialog(event.target) ? undefined : onClose())]]);
  return (
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
};

const Origin = ({ attempt }: { attempt: LoggedAttempt }) => {
  const names = useOrigin(attempt);
  const { session_id, setup_run_id, environment_id } = attempt;
  const href = session_id === null ? `/environments/${environment_id}/setup?run=${setup_run_id}&side=test` : `/sessions/${session_id}`;
  return (
    <Link href={href} className="link">
      {fromText(attempt, names)}
    </Link>
  );
};

const Line = ({ attempt }: { attempt: LoggedAttempt }) => {
  const { cause, setup_run_id } = attempt;
  const line = useStored((state) => {
    const run = setup_run_id === null ? undefined : state.setupRuns[setup_run_id];
    return cause?.kind === 'setup_line' ? run?.script.split('\n')[cause.line - 1]?.trim() : undefined;
  });
  return line === undefined ? '' : <code className="mono">{line}</code>;
};

/** Whose rules decided: the way to them. */
const Policy = ({ attempt }: { attempt: LoggedAttempt }) => {
  const { environment } = useOrigin(attempt);
  const revision = `revision ${attempt.policy_revision}`;
  if (environment === undefined) return revision;
  return (
    <>
      <Link href={`/environments/${attempt.environment_id}/network`} className="link">
        {environment}
      </Link>
      , {revision}
    </>
  );
};

const attemptFacts = (attempt: LoggedAttempt): Fact[] => {
  const { at, protocol, mode, count, bytes_sent, bytes_received, duration_ms, detail, reason } = attempt;
  return [
    ['Time', momentText(at)],
    ['From', <Origin key="from" attempt={attempt} />],
    ...(attempt.cause?.kind === 'setup_line' ? [['Line', <Line key="line" attempt={attempt} />] as const] : []),
    [
      'Reason',
      <span key="reason" title={reason}>
        {reasonWord(reason)}
      </span>,
    ],
    ...(detail === null ? [] : [['Detail', detail] as const]),
    ['Protocol', `${protocol}, ${mode === 'explicit' ? 'by the proxy’s address' : 'straight to the destination'}`],
    ...(count > 1 ? [['Counted', `${count} alike`] as const] : []),
    ['Sent / received', `${formatBytes(bytes_sent)} / ${formatBytes(bytes_received)}`],
    ['Took', duration_ms === null ? 'still open' : formatDuration(duration_ms)],
    ['Policy', <Policy key="policy" attempt={attempt} />],
  ];
};

interface AttemptDetailProps {
  attempt: LoggedAttempt;
  grants: readonly EgressGrant[];
  onClose: () => void;
}

/** One attempt. */
export const AttemptDetail = ({ attempt, grants, onClose }: AttemptDetailProps) => {
  const sessionId = useLiveSession(attempt.session_id);
  const given = useGrantFor(grants, attempt);
  return (
    <Frame title={destinationText(attempt)} onClose={onClose}>
      <p className="egress-sentence">
        <EgressVerdict verdict={attempt.verdict} reason={attempt.reason} /> {attempt.sentence}
      </p>
      {attempt.instead && <p className="egress-refusal">{attempt.instead}</p>}
      {given && <GrantedSince grant={given} />}
      {!given && canGrant(attempt) && (
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
  grants: readonly EgressGrant[];
  onClose: () => void;
  onGranted: () => void;
}

const destinationFacts = (one: ContactedDestination): Fact[] => [
  ['Allowed', formatCount(one.allowed)],
  ['Blocked', formatCount(one.blocked)],
  ...(one.failed === 0 ? [] : [['Failed', formatCount(one.failed)] as const]),
  ['Last reason', reasonWord(one.last_reason)],
  ['Protocols', one.protocols.join(', ')],
  ['First', momentText(one.first_at)],
  ['Last', momentText(one.last_at)],
  ['Sent / received', `${formatBytes(one.bytes_sent)} / ${formatBytes(one.bytes_received)}`],
];

/** One destination with all that was tried at it. */
export const DestinationDetail = ({ destination, environmentId, sessionId, grants, onClose, onGranted }: DestinationDetailProps) => {
  const live = useLiveSession(sessionId);
  const { host, port, now, last_reason: reason, last_verdict: verdict } = destination;
  const given = useGrantFor(grants, { host, port, environment_id: environmentId ?? '', session_id: sessionId });
  return (
    <Frame title={destinationText(destination)} onClose={onClose}>
      {now !== null && (
        <p className="egress-sentence">
          <span className="dim">By the rules now:</span> <EgressVerdict verdict={now.verdict} reason={now.reason} /> {now.sentence}
        </p>
      )}
      {now?.instead && <p className="egress-refusal">{now.instead}</p>}
      {given && <GrantedSince grant={given} />}
      {environmentId === null && <p className="egress-refusal">Choose one environment to see what its policy says now, and to allow it.</p>}
      {!given && environmentId !== null && now?.how_to_allow && canGrant({ host, port, verdict, reason }) && (
        <AllowBox
          environmentId={environmentId}
          sessionId={live}
          destination={destinationText(destination)}
          reason={reason}
          onGranted={onGranted}
        />
      )}
      <Facts items={destinationFacts(destination)} />
    </Frame>
  );
};
