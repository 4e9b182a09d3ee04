/** Finds the few events of a stream that need more than their text to be read. */
import type { EventPattern } from '../redaction/secret-search.ts';

/** `"error"` is also a finish reason. */
const ERROR_FIELD = /"(?:error"|(?:errors|base_resp|code|error_code|success|detail)"\s*:)/;

/** Most of a stream's thousands of events are text and have no media. */
const MEDIA_HINT =
  /"(?:(?:in|out)put_)?(?:image|audio|video|file)|\.audio\.|"(?:inlineData|inline_data|b64_json|source|mime_?type|media_type)"|"data:|partial_image/i;

const RARE = new RegExp(`${ERROR_FIELD.source}|${MEDIA_HINT.source}`, 'i');

export const mayReportError = (data: string): boolean => ERROR_FIELD.test(data);
export const mayHaveMedia = (data: string): boolean => MEDIA_HINT.test(data);

interface FrameScan {
  /** True if the event may report an error or have media. */
  isRare: boolean;
  /** Null unless the event differs from the previous one in a single string. */
  pattern: EventPattern | null;
  /** The text that hasn't been scanned yet: the string that differs, or the whole event. */
  changed: string;
}

/**
 * Returns a function that scans only the string in which an event differs from the previous one,
 * because a stream repeats everything else thousands of times.
 */
export function createFrameScan(): (data: string) => FrameScan {
  let last = '';
  let pattern: EventPattern | null = null;

  return (data) => {
    const changed = pattern && readChanged(data, pattern);
    if (changed !== null) return { isRare: RARE.test(changed), pattern, changed };
    const isRare = RARE.test(data);
    pattern = isRare ? null : findPattern(last, data);
    if (!isRare) last = data;
    return { isRare, pattern, changed: data };
  };
}

/** Returns the string that differs, with its quotes; null if anything else differs. */
function readChanged(data: string, { head, tail }: EventPattern): string | null {
  const end = data.length - tail.length;
  // Comparing slices is much faster than calling `startsWith` and `endsWith`.
  if (end < head.length || data.slice(end) !== tail) return null;
  if (data.slice(0, head.length) !== head) return null;
  const changed = data.slice(head.length - 1, end + 1);
  const isString = changed.indexOf('"', 1) === changed.length - 1 && !changed.includes('\\');
  return isString ? changed : null;
}

function findPattern(before: string, data: string): EventPattern | null {
  let at = 0;
  while (at < data.length && data.charCodeAt(at) === before.charCodeAt(at)) at += 1;
  const open = data.lastIndexOf('"', at - 1);
  const close = data.indexOf('"', Math.max(at, open + 1));
  const isValue = /:\s?$/.test(data.slice(Math.max(0, open - 2), open));
  const isString = isValue && close !== -1 && !/["\\]/.test(data.slice(open + 1, close));
  return isString ? { head: data.slice(0, open + 1), tail: data.slice(close) } : null;
}
