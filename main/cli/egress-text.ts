// How attempts, destinations, a replay and a proposed policy read on a terminal.
import type { CallOutput } from '../../sandbox-engine/contract/calls.ts';
import type { ContactedDestination, LoggedAttempt, PolicyProposal, PolicyReplay } from '../../sandbox-engine/contract/model.ts';
import { toSize, toTable } from './print.ts';

const destinationText = ({ host, port }: { host: string | null; port: number | null }): string =>
  host === null ? '(no host)' : `${host}${port === null ? '' : `:${port}`}`;

const causeText = ({ cause }: LoggedAttempt): string => {
  if (cause === null) return '-';
  return cause.kind === 'setup_line' ? `line ${cause.line}` : cause.terminal_id;
};

const rowOf = (attempt: LoggedAttempt): (string | number | null)[] => {
  const { at, verdict, protocol, reason, rule, count, sandbox_id, bytes_sent, bytes_received } = attempt;
  return [
    ...[at, verdict, destinationText(attempt), protocol, reason, rule === null ? '-' : rule + 1, count],
    ...[`${toSize(bytes_sent)} / ${toSize(bytes_received)}`, causeText(attempt), sandbox_id],
  ];
};

const head = ['TIME', 'VERDICT', 'DESTINATION', 'PROTOCOL', 'REASON', 'RULE', 'COUNT', 'SENT / RECEIVED', 'CAUSE', 'SANDBOX'];

/** Attempts as a table. */
export const attemptTable = (attempts: readonly LoggedAttempt[]): string =>
  attempts.length === 0 ? 'Nothing was tried.' : toTable(head, attempts.map(rowOf));

/** One attempt as a line of a live log. */
export const attemptText = (attempt: LoggedAttempt): string => {
  const times = attempt.count > 1 ? ` (${attempt.count} times)` : '';
  const by = attempt.cause === null ? '' : ` [${causeText(attempt)}]`;
  return `${attempt.at} ${attempt.verdict} ${attempt.sentence}${times}${by}`.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
};

const ruleText = ({ now }: ContactedDestination): string =>
  now === null || now.how_to_allow === null ? '-' : JSON.stringify(now.how_to_allow);

/** Destinations as a table, with the rule that would allow each that is blocked. */
export const destinationTable = ({ destinations, allowed, blocked, left_off }: CallOutput<'egress.summary'>): string => {
  if (destinations.length === 0) return 'Nothing was tried.';
  const rows = destinations.map((one) => [
    ...[destinationText(one), one.allowed, one.blocked, one.last_reason, one.last_at],
    ...[`${toSize(one.bytes_sent)} / ${toSize(one.bytes_received)}`, one.now?.verdict ?? '-', ruleText(one)],
  ]);
  const table = toTable(['DESTINATION', 'ALLOWED', 'BLOCKED', 'LAST REASON', 'LAST', 'SENT / RECEIVED', 'NOW', 'RULE TO ADD'], rows);
  const more = left_off === 0 ? '' : `, ${left_off} destinations more`;
  return `${table}\n\n${allowed} allowed, ${blocked} blocked${more}`;
};

const because: Record<PolicyProposal['left_out'][number]['because'], string> = {
  was_blocked: 'was blocked; --blocked covers it',
  never_allowed: 'no rule can allow it',
  no_host: 'no host could be read',
};

/** A proposed policy, ready to be saved, and what it leaves out. */
export const proposalText = ({ policy, warnings, left_out }: PolicyProposal): string =>
  [
    JSON.stringify(policy, null, 2),
    ...warnings.map(({ path, message }) => `warning ${path}: ${message}`),
    ...left_out.map((one) => `left out: ${destinationText(one)} (${one.attempts}): ${because[one.because]}`),
  ].join('\n');

/** What a replay found. */
export const replayText = ({ sentence, blocked, allowed }: PolicyReplay): string =>
  [sentence, ...[...blocked, ...allowed].map(({ attempts, now }) => `${String(attempts).padStart(6)}  ${now.sentence}`)].join('\n');
