/** Takes the key out of SSE frames, also where it is spread over the texts of several frames. */
import type { Frame } from './exchange-types.ts';
import { memoizeLast } from './memoize-last.ts';
import { escapePattern, OPENING_LENGTH, REDACTED, type Redactor } from './redactor.ts';
import { createSplitKeyDetector, type KeyFragment } from './split-key-detector.ts';

export interface FrameRedaction {
  /**
   * Those of the frames, and of the ones held back before, that can be stored and shown now. `suspect`: false if
   * a look at the text that they came in found nothing.
   */
  take(frames: readonly Frame[], suspect: boolean): readonly Frame[];
  /** What is still held back: the stream has ended. */
  rest(): readonly Frame[];
}

/**
 * Decided on the frames that one read completed. A frame whose text ends in more than `OPENING_LENGTH` first
 * characters of the key is held back until later frames show whether the rest follows.
 */
export function createFrameRedaction(redactor: Redactor): FrameRedaction {
  const { secret } = redactor;
  if (secret === null) return { take: (frames) => frames, rest: () => [] };
  const mayBegin = mayBeginTrail(secret);
  const trails = createSplitKeyDetector(secret);
  /** As received, and with its escapes decoded. */
  const held: { clean: Frame; plainly: Frame }[] = [];
  let cuts: KeyFragment[] = [];

  function release(count: number): Frame[] {
    const leaving = held.splice(0, count).map(({ clean, plainly }) => {
      const cut = withoutFragments(plainly, cuts);
      return redactFrame(cut === plainly ? clean : cut, redactor.text);
    });
    cuts = cuts.filter(({ frame }) => held.some(({ plainly }) => plainly === frame));
    return leaving;
  }

  function add(frame: Frame): void {
    const clean = redactFrame(frame, redactor.frame);
    const plainly = decoded(clean, redactor);
    held.push({ clean, plainly });
    if (frame.comment || (!trails.active() && !mayBegin.test(plainly.data))) return;
    cuts.push(...trails.step(plainly));
  }

  return {
    take(frames, suspect) {
      if (!suspect && held.length === 0 && !trails.active()) return frames;
      for (const frame of frames) add(frame);
      const needed = trails.framesLongerThan(OPENING_LENGTH);
      const firstNeeded = held.findIndex(({ plainly }) => needed.has(plainly));
      return release(firstNeeded === -1 ? held.length : firstNeeded);
    },
    rest: () => release(held.length),
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
const mayBeginTrail = memoizeLast(
  (key: string) => new RegExp(trailBeginning(key, '(?:"(?!\\s*:)|$)')),
);

/** Something to look for, and short texts, one of which is in every text that the pattern finds. */
export type RedactionCheck = { pattern: string; hints: readonly string[] };

/**
 * Whether a text of several lines may hold the beginning of a trail, or one of the others. Each alternative of the
 * first pattern is of two or three letters: with a longer one, or an anchor, it would take five times as long. Hints
 * are searched one by one, as plain texts: in one pattern with the rest they would take three times as long.
 */
export function mayContainKey(
  key: string,
  others: readonly RedactionCheck[],
): (text: string) => boolean {
  const first = escapePattern(key.slice(0, 1));
  const second = escapePattern(key.slice(1, 2));
  const quick = new RegExp(`[${first}"\\s:]${second}|["\\s:]${first}["\\s]`);
  const hints = others.flatMap((other) => other.hints);
  const truly = new RegExp(
    [
      trailBeginning(key, '(?:"(?!\\s*:)|[\\r\\n]|$)'),
      ...others.map(({ pattern }) => pattern),
    ].join('|'),
  );
  const isWorthALook = (text: string) =>
    quick.test(text) || hints.some((hint) => text.includes(hint));
  return (text) => isWorthALook(text) && truly.test(text);
}

function trailBeginning(key: string, textEnd: string): string {
  const first = escapePattern(key.slice(0, 1));
  const second = escapePattern(key.slice(1, 2));
  const later = [...key.slice(2, -1)]
    .reverse()
    .reduce((after, char) => `(?:${escapePattern(char)}${after})?`, '');
  return `${first}${second}${later}${textEnd}|(?:"|^|: ?)(?:${first}|${second}${later})${textEnd}`;
}
