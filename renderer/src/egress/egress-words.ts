// How attempts are spoken of on the page.
import type { EgressGrant, LoggedAttempt, NetworkPolicy, NetworkRule } from '../../../sandbox-engine/contract/model.ts';
import { canRuleHelp } from '../ui/egress-outcome.ts';

/** `a.example:443`; a connection of which no host could be read has none. */
export const destinationText = ({ host, port }: { host: string | null; port: number | null }): string =>
  host === null ? 'no host' : `${host}${port === null ? '' : `:${port}`}`;

interface OriginNames {
  session?: string | undefined;
  terminal?: string | undefined;
  environment?: string | undefined;
}

/** Where it was made, of those that are named, and what made it there: the line of the setup script, the terminal, or only the run or session. */
export const fromParts = (
  { cause, session_id }: Pick<LoggedAttempt, 'cause' | 'session_id'>,
  { session, terminal, environment }: OriginNames = {},
): { where: string | null; what: string } => {
  if (session_id === null)
    return { where: environment ?? null, what: cause?.kind === 'setup_line' ? `Setup line ${cause.line}` : 'Setup run' };
  const isTyped = cause?.kind === 'terminal';
  if (session === undefined) return { where: null, what: isTyped ? `Terminal ${terminal ?? ''}`.trim() : 'Session' };
  return isTyped ? { where: session, what: terminal ?? 'terminal' } : { where: null, what: session };
};

/** The same as one text. */
export const fromText = (attempt: Pick<LoggedAttempt, 'cause' | 'session_id'>, names?: OriginNames): string => {
  const { where, what } = fromParts(attempt, names);
  return where === null ? what : `${where} · ${what}`;
};

const toTheMillisecond = new Intl.DateTimeFormat('en-GB', {
  ...({ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const),
});

/** The time of day with milliseconds: attempts come fast. */
export const preciseTime = (iso: string): string => toTheMillisecond.format(new Date(iso));

/** What a grant may be asked for: it needs a host and a port, and something that a rule could have let through. */
export const canGrant = (tried: Pick<LoggedAttempt, 'host' | 'port' | 'verdict' | 'reason'>): boolean =>
  tried.host !== null && tried.port !== null && canRuleHelp(tried);

/** Whether an allow rule of the policy names this host and port, or these. */
export const hasRule = (policy: NetworkPolicy | undefined, { hosts = [], ports = [] }: Pick<NetworkRule, 'hosts' | 'ports'>): boolean =>
  policy !== undefined &&
  'rules' in policy &&
  policy.rules.some(
    (one) =>
      one.action === 'allow' &&
      hosts.every((host) => one.hosts?.includes(host)) &&
      ports.every((port) => (one.ports ?? [443, 80]).includes(port)),
  );

/** What was granted since and lets the destination pass now; undefined when nothing does. */
export const grantFor = (
  grants: readonly EgressGrant[],
  { destination, environmentId, sessionId }: { destination: string; environmentId: string; sessionId: string | null },
  { nowMs, policy }: { nowMs: number; policy: NetworkPolicy | undefined },
): EgressGrant | undefined =>
  grants.find(
    (grant) =>
      grant.destination === destination &&
      grant.environment_id === environmentId &&
      (grant.session_id === null || grant.session_id === sessionId) &&
      grant.revoked_at === null &&
      (grant.until === null || minutesLeft(grant.until, nowMs) !== null) &&
      (grant.for !== 'always' || grant.session_id !== null || hasRule(policy, grant.rule)),
  );

/** For how long it is granted. */
export const termText = ({ until, for: term }: EgressGrant, nowMs: number): string => {
  if (until !== null) return `${minutesLeft(until, nowMs)} min left`;
  return term === 'always' ? 'for good' : 'this session';
};

/** Minutes that are left, to the nearest, at least one; null when it is over. The clock of a page may be some seconds behind. */
export const minutesLeft = (until: string, nowMs: number): number | null => {
  const left = Date.parse(until) - nowMs;
  return left <= 0 ? null : Math.max(1, Math.round(left / 60_000));
};
