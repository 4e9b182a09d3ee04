/** `850 ms`, `4.2 s`, `2 min 5 s`. */
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

/** In progress: `6.2 s`, `2 min 5 s`; the tenths keep the width. */
export function formatElapsed(ms: number): string {
  return ms < 59_950 ? `${(Math.max(0, ms) / 1000).toFixed(1)} s` : formatDuration(ms);
}

/** `812 B`, `4.1 kB`, `2.3 MB`: powers of 1,000. */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} B`;
  if (sizeBytes < 999_950) return `${(sizeBytes / 1000).toFixed(1)} kB`;
  return `${(sizeBytes / 1_000_000).toFixed(1)} MB`;
}

/** Made when first needed: each takes milliseconds, of which the first paint has no use. */
const counts = once(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }));

/** `12,480`. */
export function formatCount(count: number): string {
  return counts().format(count);
}

/** `1 document`, `12,480 documents`. */
export function pluralize(count: number, one: string, several = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : several}`;
}

/** Tokens a second: one decimal while it says something. */
export function formatRate(perSecond: number): string {
  return perSecond < 100 ? perSecond.toFixed(1) : formatCount(perSecond);
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

/** `14:03:12`, with the day in front when it is not today: `Nov 20, 14:03:12`. */
export function formatClock(unixMs: number, now: number): string {
  const at = new Date(unixMs);
  const time = clock().format(at);
  return at.toDateString() === new Date(now).toDateString() ? time : `${day().format(at)}, ${time}`;
}

/** How long a sound or a film is: `0:03.4`, from a minute on `3:56`, `1:02:09`. */
export function formatLength(seconds: number): string {
  if (seconds >= 59.95) return formatTime(Math.round(seconds));
  return `0:${Math.max(0, seconds).toFixed(1).padStart(4, '0')}`;
}

/** A position of a sound or film that is `length` long: as exact as the length, and at its end the same. */
export function formatPosition(seconds: number, length: number | null): string {
  if (length === null) return formatTime(seconds);
  if (seconds >= length - 0.05) return formatLength(length);
  if (length >= 59.95) return formatTime(seconds);
  // Not rounded up to the end before it is there.
  return formatLength(Math.floor(seconds * 10 + 1e-6) / 10);
}

/** A place in a sound or film, as players show it: `0:07`, `4:07`, `1:02:09`. */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds + 1e-6));
  const [hours, minutes, rest] = [whole / 3600, (whole % 3600) / 60, whole % 60].map(Math.floor);
  const tail = `${String(rest).padStart(2, '0')}`;
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
