/** Finds a key that is spread over the string values of several SSE frames: token by token, as a model repeats it. */
import type { Frame } from './exchange-types.ts';

/** The piece of the secret at `start`–`end` of a frame's data. */
export interface KeyFragment {
  frame: Frame;
  start: number;
  end: number;
  /** It completes the secret. */
  last: boolean;
}

export interface SplitKeyDetector {
  active(): boolean;
  /** Looks at the next frame; returns the pieces of every secret that it completes. */
  step(frame: Frame): KeyFragment[];
  /** The frames with pieces of secrets of which more than `length` characters have been seen. */
  framesLongerThan(length: number): Set<Frame>;
}

/** The first `matched` characters have been seen at the ends of texts. */
interface Trail {
  matched: number;
  fragments: KeyFragment[];
  /** Frames since the last piece: other choices of the answer come in between. */
  idle: number;
}

/** A trail that so many frames did not continue is a coincidence. */
const PATIENCE = 8;

/**
 * Where JSON strings begin and end. One pattern for a whole string would overflow the matcher's stack on a
 * sound of some megabytes.
 */
const QUOTE = /\\[\s\S]|"/g;
/** Behind a string: it is a name and not a value. */
const COLON = /\s*:/y;

export function createSplitKeyDetector(secret: string): SplitKeyDetector {
  let trails: Trail[] = [];

  return {
    active: () => trails.length > 0,

    step(frame) {
      const values = stringValues(frame.data);
      const completed: KeyFragment[] = [];
      const next: Trail[] = [];
      for (const trail of trails) {
        const rest = secret.slice(trail.matched);
        const pieces = values.flatMap(({ text, start }) => {
          const length = overlap(rest, text);
          return length === 0
            ? []
            : [{ frame, start, end: start + length, last: length === rest.length }];
        });
        for (const piece of pieces) {
          const fragments = [...trail.fragments, piece];
          if (piece.last) completed.push(...fragments);
          else next.push({ matched: trail.matched + piece.end - piece.start, fragments, idle: 0 });
        }
        if (pieces.length === 0 && trail.idle < PATIENCE) {
          next.push({ ...trail, idle: trail.idle + 1 });
        }
      }
      for (const { text, start } of values) {
        const begun = beginning(text, secret);
        if (begun === null) continue;
        const end = start + text.length;
        const fragments = [{ frame, start: end - begun.length, end, last: false }];
        next.push({ matched: begun.matched, fragments, idle: 0 });
      }
      trails = withoutRepeats(next);
      return completed;
    },

    framesLongerThan(length) {
      const long = trails.filter(({ matched }) => matched > length);
      return new Set(long.flatMap(({ fragments }) => fragments.map(({ frame }) => frame)));
    },
  };
}

/** How much of `rest` a text that continues it holds: all of `rest`, or all of the text, or nothing. */
function overlap(rest: string, text: string): number {
  if (text.startsWith(rest)) return rest.length;
  return rest.startsWith(text) ? text.length : 0;
}

/**
 * `length` characters at the text's end are the first of the secret; or all of the text is what
 * follows its first character, which can have been the end of an earlier text.
 */
function beginning(text: string, secret: string): { length: number; matched: number } | null {
  for (let length = Math.min(text.length, secret.length - 1); length > 1; length--) {
    if (text.endsWith(secret.slice(0, length))) return { length, matched: length };
  }
  if (text !== '' && text === secret[0]) return { length: 1, matched: 1 };
  const { length } = text;
  const follows = length > 0 && length < secret.length - 1 && secret.startsWith(text, 1);
  return follows ? { length, matched: 1 + length } : null;
}

/** Trails at the same place become one, or the same text in two fields doubles them each time. */
function withoutRepeats(trails: Trail[]): Trail[] {
  const byPlace = new Map<string, Trail>();
  for (const trail of trails) {
    const place = `${trail.matched}/${trail.idle}`;
    const same = byPlace.get(place);
    const fragments = new Set([...(same?.fragments ?? []), ...trail.fragments]);
    byPlace.set(place, { ...trail, fragments: [...fragments] });
  }
  return [...byPlace.values()];
}

/** Positions are those of the raw text, so escapes stay unchanged. Data without quotes is one text. */
function stringValues(data: string): { text: string; start: number }[] {
  if (!data.includes('"')) return [{ text: data, start: 0 }];
  const values: { text: string; start: number }[] = [];
  let start: number | null = null;
  for (const { 0: mark, index } of data.matchAll(QUOTE)) {
    if (mark !== '"') continue;
    if (start === null) {
      start = index + 1;
      continue;
    }
    COLON.lastIndex = index + 1;
    if (!COLON.test(data)) values.push({ text: data.slice(start, index), start });
    start = null;
  }
  return values;
}
