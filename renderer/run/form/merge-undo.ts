import { isSameJson } from '../../../shared/json.ts';

/** Reverts the change from `before` to `after` with a three-way merge that keeps edits in `now`. */
export function mergeUndo<Value>(before: Value, after: Value, now: Value): Value;
export function mergeUndo(before: unknown, after: unknown, now: unknown): unknown {
  if (isSameJson(now, after)) return before;
  if (isText(before) && isText(after) && isText(now)) return putTextBack(before, after, now);
  if (Array.isArray(before) && Array.isArray(after) && Array.isArray(now)) {
    const place = getPlace(before, after, now);
    if (place === null) return now;
    return now.toSpliced(place.at, place.count, ...before.slice(place.start, place.end));
  }
  return now;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function putTextBack(before: string, after: string, now: string): string {
  const lines = [getLines(before), getLines(after), getLines(now)] as const;
  const inLines = getPlace(...lines);
  if (inLines !== null && isPure(inLines)) {
    const back = lines[0].slice(inLines.start, inLines.end);
    return lines[2].toSpliced(inLines.at, inLines.count, ...back).join('\n');
  }
  const place = getPlace(before, after, now);
  if (place !== null && isPure(place)) {
    const back = before.slice(place.start, place.end);
    return now.slice(0, place.at) + back + now.slice(place.at + place.count);
  }
  // Unrelated texts can't be merged, unless text was only appended since.
  return now.startsWith(after) ? before + now.slice(after.length) : now;
}

function getLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

interface Place {
  /** The range in `before`. */
  start: number;
  end: number;
  /** The range in `now` that is replaced with the restored text. */
  at: number;
  count: number;
}

function isPure({ start, end, count }: Place): boolean {
  return start === end || count === 0;
}

type Items = ArrayLike<unknown>;

/** Returns null if later edits overlap the change. */
function getPlace(before: Items, after: Items, now: Items): Place | null {
  const done = getSpan(before, after);
  const since = getSpan(after, now);
  const moved = now.length - after.length;
  const count = done.newEnd - done.start;
  const place = { start: done.start, end: done.end, count };
  if (done.newEnd <= since.start) return { ...place, at: done.start };
  if (done.start >= since.end) return { ...place, at: done.start + moved };
  // A later edit also deleted the text around the change.
  return count === 0 ? { ...place, at: since.end + moved } : null;
}

/** Returns the range that differs: `start` to `end` in `one`, `start` to `newEnd` in `other`. */
function getSpan(one: Items, other: Items): { start: number; end: number; newEnd: number } {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && isSameJson(one[start], other[start])) start += 1;
  let same = 0;
  while (
    same < shorter - start &&
    isSameJson(one[one.length - 1 - same], other[other.length - 1 - same])
  ) {
    same += 1;
  }
  return { start, end: one.length - same, newEnd: other.length - same };
}
