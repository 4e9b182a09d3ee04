/** The Range header of RFC 9110, section 14, for one stretch of bytes. */

export interface ByteRange {
  first: number;
  /** Inclusive. */
  last: number;
}

/**
 * Null: answer with everything. That is also right for what is not understood, such as several
 * stretches at once, which no media element requests.
 */
export function parseRange(header: string | null, sizeBytes: number): ByteRange | 'none' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(/\s/g, '') ?? '');
  if (match === null) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;

  if (from === '') {
    const count = Math.min(Number(to), sizeBytes);
    return count === 0 ? 'none' : { first: sizeBytes - count, last: sizeBytes - 1 };
  }
  const first = Number(from);
  const last = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (to !== '' && Number(to) < first) return null;
  return first >= sizeBytes ? 'none' : { first, last };
}
