/** Takes the key out of SSE frames, also where it is spread over the texts of several frames. */
import type { Frame } from './exchange-types.ts';
import { followKey, type KeyFragment } from './key-trails.ts';
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
  /** How a held frame came, where it is held with escapes spelt out. */
  const unspelt = new WeakMap<Frame, Frame>();
  let cuts: KeyFragment[] = [];

  function release(count: number): void {
    const leaving = held.slice(0, count);
    held = held.slice(count);
    for (const frame of leaving) {
      const cut = withoutFragments(frame, cuts);
      emit(cut === frame ? (unspelt.get(frame) ?? frame) : cut);
    }
    cuts = cuts.filter(({ frame }) => held.includes(frame));
  }

  return {
    push(frame, suspect) {
      if (!suspect && held.length === 0 && !trails.active()) return emit(frame);
      const clean = redactFrame(frame, redactor);
      const plainly = spelt(clean, redactor);
      const plain = frame.comment || (!trails.active() && !mayBegin.test(plainly.data));
      if (plain && held.length === 0) return void emit(clean);
      held.push(plainly);
      unspelt.set(plainly, clean);
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

function redactFrame(frame: Frame, redactor: Redactor): Frame {
  const data = redactor.text(frame.data);
  const event = frame.event === null ? null : redactor.text(frame.event);
  return data === frame.data && event === frame.event ? frame : { ...frame, data, event };
}

function spelt(frame: Frame, redactor: Redactor): Frame {
  const data = redactor.spelt(frame.data);
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
