import { once } from '../../shared/once.ts';

/** Returns text such as `850 ms`, `4.2 s` or `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms <= 0 ? '0 ms' : '<1 ms';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${(ms / 1000).toFixed(2)} s`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns `6.2 s` or `2 min 5 s` for a running timer; always has tenths, for a stable width. */
export function formatElapsed(ms: number): string {
  return ms < 59_950 ? `${(Math.max(0, ms) / 1000).toFixed(1)} s` : formatDuration(ms);
}

/** Returns `812 B`, `4.1 kB` or `2.3 MB` in powers of 1,000. */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} B`;
  if (sizeBytes < 999_950) return `${(sizeBytes / 1000).toFixed(1)} kB`;
  return `${(sizeBytes / 1_000_000).toFixed(1)} MB`;
}

/** Created on first use, because a formatter takes milliseconds to create. */
const counts = once(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }));

export function formatCount(count: number): string {
  return counts().format(count);
}

/** Returns text such as `1 document` or `12,480 documents`. */
export function pluralize(count: number, one: string, several = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : several}`;
}

/** Returns tokens per second, with one decimal below 100. */
export function formatRate(perSecond: number): string {
  return perSecond < 100 ? perSecond.toFixed(1) : formatCount(perSecond);
}

/** Formats a price in US dollars with all its digits, such as `$0.0375` and `$15.00`. */
export function formatPrice(dollars: number): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 10 };
  return `$${dollars.toLocaleString('en-US', digits)}`;
}

const clock = once(
  () =>
    new Intl.DateTimeFormat('en-US', {
      hourCycle: 'h23',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
);
const day = once(() => new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short' }));

const date = once(
  () => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }),
);

/** Returns text such as `Nov 28, 2026, 7:45 AM`. */
export function formatDate(unixMs: number): string {
  return date().format(unixMs);
}

/** Returns `14:03:12`, or `Nov 20, 14:03:12` if it isn't today. */
export function formatClock(unixMs: number, now: number): string {
  const at = new Date(unixMs);
  const time = clock().format(at);
  return at.toDateString() === new Date(now).toDateString() ? time : `${day().format(at)}, ${time}`;
}

const ages = once(() => new Intl.RelativeTimeFormat('en-US'));

/** Returns text such as `3 days ago`, or `just now` within the first minute. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return ages().format(-minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return ages().format(-hours, 'hour');
  return ages().format(-Math.floor(hours / 24), 'day');
}

/** Returns an audio or video duration: `0:03.4` below a minute, else `3:56` or `1:02:09`. */
export function formatLength(seconds: number): string {
  if (seconds >= 59.95) return formatTime(Math.round(seconds));
  return `0:${Math.max(0, seconds).toFixed(1).padStart(4, '0')}`;
}

/** Returns a position with the precision of `length`, so both look the same at the end. */
export function formatPosition(seconds: number, length: number | null): string {
  if (length === null) return formatTime(seconds);
  if (seconds >= length - 0.05) return formatLength(length);
  if (length >= 59.95) return formatTime(seconds);
  // Round down, so that the position doesn't reach the end too early.
  return formatLength(Math.floor(seconds * 10 + 1e-6) / 10);
}

/** Returns a span such as `0:07 – 0:12`, or with tenths `0:00.2 – 0:00.9`. */
export function formatSpan(start: number, end: number, withTenths: boolean): string {
  const format = withTenths ? formatTenths : formatTime;
  return `${format(start)} – ${format(end)}`;
}

function formatTenths(seconds: number): string {
  const tenths = Math.max(0, Math.round(seconds * 10));
  return `${formatTime(tenths / 10)}.${tenths % 10}`;
}

/** Returns a position in the usual player format: `0:07`, `4:07` or `1:02:09`. */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds + 1e-6));
  const [hours, minutes, rest] = [whole / 3600, (whole % 3600) / 60, whole % 60].map(Math.floor);
  const tail = `${String(rest).padStart(2, '0')}`;
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}
/** Returns `35,000 characters over the 1,000,000 limit.`; null if within the limit. */
export function describeOverLimit(length: number, limit: number): string | null {
  const over = length - limit;
  if (over <= 0) return null;
  const characters = over === 1 ? '1 character' : `${over.toLocaleString('en')} characters`;
  return `${characters} over the ${limit.toLocaleString('en')} limit.`;
}
