// Numbers, sizes and times as people read them. English only, no locale surprises.

// Made once: making one takes longer than drawing the row that it is for.
const numbers = new Intl.NumberFormat('en-GB');
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const wholeDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const toTheMinute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const toTheSecond = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** `1,200`. */
export const formatCount = (count: number): string => numbers.format(count);

/** `0.4 s`, `12.3 s`, `2 m 05 s`, `1 h 02 m`; milliseconds below 100 as `35 ms`. */
export const formatDuration = (milliseconds: number): string => {
  if (milliseconds < 100) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0');
  if (minutes < 60) return `${minutes} m ${pad(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} m`;
};

/** The time of all parts together. Not the difference of two times of day: the clock of a machine can be set meanwhile. */
export const totalMs = (parts: readonly { duration_ms: number | null }[]): number =>
  parts.reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0);

/** `1 rule`, `2 rules`, `1,200 entries`: so many of a thing. `many` is for words that do not only take an s. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`;

/** `512 B`, `1.4 MiB`, `12 GiB`. */
export const formatBytes = (bytes: number): string => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
};

/** `just now`, `5 min ago`, `3 h ago`, `yesterday`, then the day: `12 Mar`, `12 Mar 2025`. */
export const formatAgo = (iso: string, now: number): string => {
  const then = new Date(iso);
  const minutes = Math.floor((now - then.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  if (minutes < 48 * 60) return 'yesterday';
  const day = dayAndMonth.format(then);
  return then.getFullYear() === new Date(now).getFullYear() ? day : `${day} ${then.getFullYear()}`;
};

/** A time as a person says it: `14:05` today, else with its day. In the machine's own zone. */
export const clockTime = (iso: string): string => {
  const at = new Date(iso);
  const time = toTheMinute.format(at);
  if (at.toDateString() === new Date().toDateString()) return time;
  return `${dayAndMonth.format(at)}, ${time}`;
};

/** `14:05:09`, in the machine's own zone. */
export const timeText = (at: string | number): string => toTheSecond.format(new Date(at));

/** `30 Nov`, in the machine's own zone. */
export const dayText = (at: number): string => dayAndMonth.format(new Date(at));

/** A moment with its day, to the second: `30 Nov 2026, 14:05:09`. In the machine's own zone. */
export const momentText = (iso: string): string => {
  const at = new Date(iso);
  return `${wholeDay.format(at)}, ${toTheSecond.format(at)}`;
};

/** Seconds as `20 min`, `2 h`, `7 days`; 0 is `never`. */
export const formatSeconds = (seconds: number): string => {
  if (seconds === 0) return 'never';
  if (seconds % 86_400 === 0) return seconds === 86_400 ? '1 day' : `${seconds / 86_400} days`;
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  if (seconds % 60 === 0) return `${seconds / 60} min`;
  return `${seconds} s`;
};

/** `sha256:1234567890ab…` shortened to what tells images apart. */
export const shortDigest = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12);

/** `…tail`: an id where its kind is known and there is little room. */
export const idTail = (id: string): string => `…${id.slice(-6)}`;

/** `env_…tail`: enough of an id to recognise it. */
export const shortId = (id: string): string => `${id.slice(0, 4)}…${id.slice(-6)}`;

/** `sandlot-ses…tail`: a long name whose beginning says what it is, and whose end which one. */
export const cutMiddle = (name: string, most = 18): string => (name.length <= most ? name : `${name.slice(0, most - 7)}…${name.slice(-6)}`);
