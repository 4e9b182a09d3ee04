/** Takes the key out of SSE frames, also where it is spread over the texts of several frames. */
import type { Frame } from './exchange-types.ts';
import { escapePattern, OPENING_LENGTH, REDACTED, type Redactor } from './redactor.ts';

export interface FrameRedaction {
  /** `suspect`: false where the screen of the whole block found nothing. */
  push(frame: Frame, suspect: boolean): void;
  /** Emits what is still held back: the stream has ended. */
  flush(): void;
}

/**
 * A frame whose text ends in more than `OPENING_LENGTH` first characters of the key is held back
 * until later frames show whether the rest follows.
 */
export function createFrameRedaction(
  redactor: Redactor,
  emit: (frame: Frame) => void,
): FrameRedaction {
  const { secret } = redactor;
  if (secret === null) return { push: (frame) => emit(frame), flush() {} };
  const mayBegin = mayBeginTrail(secret);
  const trails = followKey(secret);
  let held: Frame[] = [];
  /** A held frame as received, if it is held with its escapes decoded. */
  const unescaped = new WeakMap<Frame, Frame>();
  let cuts: KeyFragment[] = [];

  /** Sends the frame on: no key can begin in it or in a frame before it. */
  function pass(frame: Frame): void {
    emit(redactFrame(frame, redactor.text));
  }

  function release(count: number): void {
    const leaving = held.slice(0, count);
    held = held.slice(count);
    for (const frame of leaving) {
      const cut = withoutFragments(frame, cuts);
      pass(cut === frame ? (unescaped.get(frame) ?? frame) : cut);
    }
    cuts = cuts.filter(({ frame }) => held.includes(frame));
  }

  return {
    push(frame, suspect) {
      if (!suspect && held.length === 0 && !trails.active()) return emit(frame);
      const clean = redactFrame(frame, redactor.frame);
      const plainly = decoded(clean, redactor);
      const plain = frame.comment || (!trails.active() && !mayBegin.test(plainly.data));
      if (plain && held.length === 0) return pass(clean);
      held.push(plainly);
      unescaped.set(plainly, clean);
      if (plain) return;
      cuts.push(...trails.step(plainly).filter((cut) => held.includes(cut.frame)));
      const needed = trails.framesLongerThan(OPENING_LENGTH);
      const firstNeeded = held.findIndex((candidate) => needed.has(candidate));
      release(firstNeeded === -1 ? held.length : firstNeeded);
    },
    flush() {
      release(held.length);
    },
  };
}

function redactFrame(frame: Frame, redact: (text: string) => string): Frame {
  const data = redact(frame.data);
  const event = frame.event === null ? null : redact(frame.event);
  return data === frame.data && event === frame.event ? frame : { ...frame, data, event };
}

function decoded(frame: Frame, redactor: Redactor): Frame {
  const data = redactor.decoded(frame.data);
  return data === frame.data ? frame : { ...frame, data };
}

/** The key's last fragment becomes the marker; from the end, so that positions stay right. */
function withoutFragments(frame: Frame, cuts: KeyFragment[]): Frame {
  const mine = new Map(cuts.filter((cut) => cut.frame === frame).map((cut) => [cut.start, cut]));
  if (mine.size === 0) return frame;
  let { data } = frame;
  for (const { start, end, last } of [...mine.values()].sort((a, b) => b.start - a.start)) {
    data = data.slice(0, start) + (last ? REDACTED : '') + data.slice(end);
  }
  return { ...frame, data };
}

/**
 * Decided in one pass, without parsing: does a string value, or all of the data, begin a trail? One
 * first character at the end of a longer text does not count (every "…chunk" would, for a key in
 * "k"); its trail is found at the next piece, which is then a whole text.
 */
function mayBeginTrail(key: string): RegExp {
  return new RegExp(trailBeginning(key, '(?:"(?!\\s*:)|$)'));
}

/** The same for a block of several lines: first a pattern that is quick and finds more, then the true one. */
export function blockTrailTest(key: string): (text: string) => boolean {
  const first = escapePattern(key.slice(0, 1));
  const second = escapePattern(key.slice(1, 2));
  const quick = new RegExp(`${first}${second}|(?:["\\s:]|^)(?:${second}|${first}(?:["\\s]|$))`);
  const thorough = new RegExp(trailBeginning(key, '(?:"(?!\\s*:)|[\\r\\n]|$)'));
  return (text) => quick.test(text) && thorough.test(text);
}

function trailBeginning(key: string, textEnd: string): string {
  const first = escapePattern(key.slice(0, 1));
  const second = escapePattern(key.slice(1, 2));
  const later = [...key.slice(2, -1)]
    .reverse()
    .reduce((after, char) => `(?:${escapePattern(char)}${after})?`, '');
  return `${first}${second}${later}${textEnd}|(?:"|^|: ?)(?:${first}|${second}${later})${textEnd}`;
}

/** The piece of the secret at `start`–`end` of a frame's data. */
interface KeyFragment {
  frame: Frame;
  start: number;
  end: number;
  /** It completes the secret. */
  last: boolean;
}

interface KeyTrails {
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

function followKey(secret: string): KeyTrails {
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
      trails = merged(next);
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
function merged(trails: Trail[]): Trail[] {
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
