// How attempts, destinations, a replay and a proposed policy read on a terminal.
import type { CallOutput } from '../../sandbox-engine/contract/calls.ts';
import { outcomeOf } from '../../sandbox-engine/contract/egress-outcome.ts';
import type {
  ContactedDestination,
  Explanation,
  LoggedAttempt,
  PolicyProposal,
  PolicyReplay,
} from '../../sandbox-engine/contract/model.ts';
import { counted } from '../../sandbox-engine/index.ts';
import { lineOfText, toSize, toTable } from './print.ts';
import { namesOf, warningLines } from './warning-lines.ts';

const destinationText = ({ host, port }: { host: string | null; port: number | null }): string =>
  host === null ? '(no host)' : `${host}${port === null ? '' : `:${port}`}`;

const causeText = ({ cause }: LoggedAttempt): string => {
  if (cause === null) return '-';
  return cause.kind === 'setup_line' ? `line ${cause.line}` : cause.terminal_id;
};

/** What became of it, in words: what nobody forbade is not called blocked. */
const outcomeText = (tried: Pick<LoggedAttempt, 'verdict' | 'reason'>): string => {
  if (outcomeOf(tried) !== 'failed') return tried.verdict;
  return tried.reason === 'resolve_failed' ? 'not found' : 'not reached';
};

const rowOf = (attempt: LoggedAttempt): (string | number | null)[] => {
  const { at, protocol, reason, rule, count, sandbox_id, bytes_sent, bytes_received } = attempt;
  return [
    ...[at, outcomeText(attempt), destinationText(attempt), protocol, reason, rule === null ? '-' : rule + 1, count],
    ...[`${toSize(bytes_sent)} / ${toSize(bytes_received)}`, causeText(attempt), sandbox_id],
  ];
};

const head = ['TIME', 'OUTCOME', 'DESTINATION', 'PROTOCOL', 'REASON', 'RULE', 'COUNT', 'SENT / RECEIVED', 'CAUSE', 'SANDBOX'];

/** Attempts as a table. */
export const attemptTable = (attempts: readonly LoggedAttempt[]): string =>
  attempts.length === 0 ? 'Nothing was tried.' : toTable(head, attempts.map(rowOf));

/** One attempt as a line of a live log. */
export const attemptText = (attempt: LoggedAttempt): string => {
  const times = attempt.count > 1 ? ` (${counted(attempt.count, 'time')})` : '';
  const by = attempt.cause === null ? '' : ` [${causeText(attempt)}]`;
  return lineOfText(`${attempt.at} ${outcomeText(attempt)} ${attempt.sentence}${times}${by}`);
};

const ruleText = ({ now }: ContactedDestination): string =>
  now === null || now.how_to_allow === null ? '-' : JSON.stringify(now.how_to_allow);

/** What to do about those that no rule helps. */
const insteadLines = (destinations: readonly ContactedDestination[]): string[] =>
  destinations.flatMap((one) => (one.now?.instead === undefined ? [] : [`${destinationText(one)}: no rule helps. ${one.now.instead}`]));

const nowText = (now: Explanation | null): string => (now === null ? '-' : outcomeText(now));

/** Destinations as a table, with the rule that would allow each that is blocked. */
export const destinationTable = ({ destinations, allowed, blocked, failed, left_off }: CallOutput<'egress.summary'>): string => {
  if (destinations.length === 0) return 'Nothing was tried.';
  const rows = destinations.map((one) => [
    ...[destinationText(one), one.allowed, one.blocked, one.failed, one.last_reason, one.last_at],
    ...[`${toSize(one.bytes_sent)} / ${toSize(one.bytes_received)}`, nowText(one.now), ruleText(one)],
  ]);
  const table = toTable(
    ['DESTINATION', 'ALLOWED', 'BLOCKED', 'FAILED', 'LAST REASON', 'LAST', 'SENT / RECEIVED', 'NOW', 'RULE TO ADD'],
    rows,
  );
  const more = left_off === 0 ? '' : `, ${counted(left_off, 'destination')} more`;
  const sums = `${allowed} allowed, ${blocked} blocked${failed === 0 ? '' : `, ${failed} failed`}${more}`;
  return [`${table}\n`, sums, ...insteadLines(destinations)].join('\n');
};

const because: Record<PolicyProposal['left_out'][number]['because'], string> = {
  was_blocked: 'was blocked; --blocked covers it',
  never_allowed: 'no rule can allow it',
  not_found: 'was not found',
  not_reached: 'could not be reached',
  no_host: 'no host could be read',
};

/** A proposed policy, ready to be saved, and what it leaves out. */
export const proposalText = ({ policy, warnings, left_out }: PolicyProposal): string =>
  [
    JSON.stringify(policy, null, 2),
    ...warningLines(warnings, namesOf(policy)).map((line) => `warning: ${line}`),
    ...left_out.map((one) => `left out: ${destinationText(one)} (${one.attempts}): ${because[one.because]}`),
  ].join('\n');

/** What a replay found. */
export const replayText = ({ sentence, blocked, allowed }: PolicyReplay): string =>
  [sentence, ...[...blocked, ...allowed].map(({ attempts, now }) => `${String(attempts).padStart(6)}  ${now.sentence}`)].join('\n');
