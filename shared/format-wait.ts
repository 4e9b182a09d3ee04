/** Formats a wait such as "20 seconds", rounded up so that users don't retry too early. */
export function formatWait(seconds: number): string {
  if (seconds < 120) return formatCount(Math.ceil(seconds), 'second');
  if (seconds < 2 * 3600) return formatCount(Math.ceil(seconds / 60), 'minute');
  if (seconds < 48 * 3600) return formatCount(Math.ceil(seconds / 3600), 'hour');
  return formatCount(Math.ceil(seconds / 86_400), 'day');
}

function formatCount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
