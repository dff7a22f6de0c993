// How attempts are spoken of on the page.
import type { LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';

/** `a.example:443`; a connection of which no host could be read has none. */
export const destinationText = ({ host, port }: { host: string | null; port: number | null }): string =>
  host === null ? 'no host' : `${host}${port === null ? '' : `:${port}`}`;

/** Reasons whose code is no plain word. */
const special: Record<string, string> = {
  no_sni: 'No name in TLS',
  ech: 'Name is hidden',
  ip_literal: 'Bare address',
  limit_exceeded: 'Too much at once',
};

/** `no_rule` as `No rule`. */
export const reasonWord = (reason: string): string => {
  const words = special[reason] ?? reason.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What is known of the cause; empty when nothing is. */
export const causeText = ({ cause }: Pick<LoggedAttempt, 'cause'>): string => {
  if (cause === null) return '';
  return cause.kind === 'setup_line' ? `Line ${cause.line}` : 'Terminal';
};

/** The time of day with milliseconds: attempts come fast. */
export const timeText = (iso: string): string =>
  new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 });

/** What a grant may be asked for: it needs a host and a port. */
export const canGrant = (tried: { host: string | null; port: number | null }): boolean => tried.host !== null && tried.port !== null;

/** Minutes that are left, at least one; null when it is over. */
export const minutesLeft = (until: string, nowMs: number): number | null => {
  const left = Date.parse(until) - nowMs;
  return left <= 0 ? null : Math.ceil(left / 60_000);
};
