/**
 * Finds secrets in pieces: each string of a response continues the one before it at its JSON path.
 */
import type { Range, Redactor } from './redactor.ts';

/** Ends and begins with the quotes of the string in which events differ. */
export interface EventPattern {
  head: string;
  tail: string;
}

/** Where each event has a piece of a secret, by the event's number. */
export type Cuts = ReadonlyMap<number, readonly Range[]>;

export interface SecretSearch {
  /**
   * Adds the text of the next event, either JSON or plain text. If it is known to match a pattern,
   * only its string that differs is read.
   */
  add(seq: number, text: string, pattern?: EventPattern | null): void;
  /** Like `add`, but pauses after each step, so that the caller can yield. */
  addInSteps(seq: number, text: string): Generator<void, void>;
  /** Returns the matches found since the last call, which may reach into earlier texts. */
  takeCuts(): Cuts;
}

/** Searching this many characters takes well under a millisecond. */
const BATCH_LENGTH = 64 * 1024;
/** Limits the number of pieces, because each takes memory besides its text. */
const PIECE_WEIGHT = 64;
/**
 * Further, longer or deeper paths aren't distinguished, so that a hostile response can't fill the
 * memory.
 */
const MAX_PATHS = 5000;
const MAX_PATH_LENGTH = 500;
const MAX_DEPTH = 1000;
const STEP_STRINGS = 500;
const STEP_LENGTH = 256 * 1024;

/** A string, or a part of a long one. */
interface Piece {
  seq: number;
  start: number;
  text: string;
}

/** The strings at one path that aren't searched yet, preceded by the end of those that are. */
type Lane = Piece[];

/** A string's JSON path without array indexes, and the index of its choice or item. */
interface Place {
  path: string;
  index: string | null;
}

const ROOT = '';

export function createSecretSearch(redactor: Redactor): SecretSearch {
  const tailLength = redactor.maxLength;
  const batchLength = Math.max(BATCH_LENGTH, 4 * tailLength);
  const rootLane: Lane = [];
  const byPath = new Map([[ROOT, rootLane]]);
  const byIndex = new Map<string, Lane>();
  let waitingWeight = 0;
  let limit = batchLength;
  let cuts = new Map<number, Range[]>();
  let last: { pattern: EventPattern; lanes: readonly Lane[] } | null = null;

  /** Some gateways number choices; others number events, whose strings continue each other. */
  function findLanes({ path, index }: Place): Lane[] {
    const lane = findLane(byPath, path) ?? rootLane;
    const indexed = index === null ? null : findLane(byIndex, `${path}#${index}`);
    return indexed === null ? [lane] : [lane, indexed];
  }

  function findLane(lanes: Map<string, Lane>, name: string): Lane | null {
    const known = lanes.get(name);
    if (known !== undefined || lanes.size >= MAX_PATHS) return known ?? null;
    const lane: Lane = [];
    lanes.set(name, lane);
    return lane;
  }

  function push(lanes: readonly Lane[], piece: Piece): void {
    for (const lane of lanes) lane.push(piece);
    waitingWeight += lanes.length * (piece.text.length + PIECE_WEIGHT);
    if (waitingWeight >= limit) searchAll();
  }

  function searchAll(): void {
    waitingWeight = 0;
    for (const lane of [...byPath.values(), ...byIndex.values()]) search(lane);
    limit = 2 * waitingWeight + batchLength;
  }

  /** Keeps the end of the lane, in which a secret may begin. */
  function search(lane: Lane): void {
    const joined = lane.map(({ text }) => text).join('');
    for (const { start, end } of redactor.find(joined)) {
      cut(lane, isEscaped(joined, start) ? start - 1 : start, end);
    }
    let kept = lane.length;
    let length = 0;
    while (kept > 0 && length < tailLength) {
      kept -= 1;
      length += lane[kept]?.text.length ?? 0;
    }
    lane.splice(0, kept);
    waitingWeight += length + lane.length * PIECE_WEIGHT;
  }

  function cut(lane: Lane, from: number, to: number): void {
    let before = 0;
    for (const { seq, start, text } of lane) {
      const first = Math.max(from - before, 0);
      const past = Math.min(to - before, text.length);
      before += text.length;
      if (first >= past) continue;
      const ranges = cuts.get(seq) ?? [];
      ranges.push({ start: start + first, end: start + past });
      cuts.set(seq, ranges);
    }
  }

  /** Long strings are searched in parts, each of which continues the previous one. */
  function* pushString(
    lanes: readonly Lane[],
    seq: number,
    text: string,
    { start, end }: Range,
  ): Generator<void, void> {
    for (let at = start; at < end; at += batchLength) {
      push(lanes, { seq, start: at, text: text.slice(at, Math.min(end, at + batchLength)) });
      if (end - start > batchLength) yield;
    }
  }

  function* addInSteps(
    seq: number,
    text: string,
    pattern: EventPattern | null = null,
  ): Generator<void, void> {
    if (tailLength === 0) return;
    if (!/^\s*[[{"]/.test(text)) {
      yield* pushString([rootLane], seq, text, { start: 0, end: text.length });
    }
    let count = 0;
    for (const found of readStrings(text)) {
      count += 1;
      if (found === null || count % STEP_STRINGS === 0) yield;
      if (found === null) continue;
      const lanes = findLanes(found);
      yield* pushString(lanes, seq, text, found);
      if (found.start === pattern?.head.length) last = { pattern, lanes };
    }
  }

  return {
    add(seq, text, pattern = null) {
      if (pattern === null || pattern !== last?.pattern) {
        for (const _step of addInSteps(seq, text, pattern));
        return;
      }
      const { head, tail } = pattern;
      const changed = text.slice(head.length, text.length - tail.length);
      push(last.lanes, { seq, start: head.length, text: changed });
    },
    addInSteps,
    takeCuts() {
      searchAll();
      const taken = cuts;
      cuts = new Map();
      return taken;
    },
  };
}

/** Masks each range with as many asterisks, so that all other text keeps its position. */
export function maskRanges(text: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    const at = Math.max(start, from);
    parts.push(text.slice(from, at), '*'.repeat(end - at));
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** Most gateways send the index first, and others after the text. */
const ANY_INDEX = /"index"\s*:\s*(\d{1,4})\b/;
/** The end of a name, and the number that follows it. */
const NAME_END = /"\s*:(?:\s*(\d{1,4})\b)?/y;

/**
 * Yields the string values in one or several JSON documents, still escaped; tolerates truncated
 * JSON. Yields null after a long text without strings.
 */
function* readStrings(text: string): Generator<(Place & Range) | null, void> {
  const outer: Place[] = [];
  const anyIndex = text.length <= BATCH_LENGTH ? ANY_INDEX.exec(text)?.[1] : null;
  let container: Place = { path: ROOT, index: anyIndex ?? null };
  let path = ROOT;
  let depth = 0;
  let pausedAt = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (at - pausedAt > STEP_LENGTH) {
      pausedAt = at;
      yield null;
    }
    switch (text[at]) {
      case '[':
      case '{':
        depth += 1;
        if (depth > MAX_DEPTH) break;
        outer.push(container);
        container = { path, index: container.index };
        break;
      case ']':
      case '}':
        depth = Math.max(0, depth - 1);
        if (depth >= MAX_DEPTH) break;
        container = outer.pop() ?? container;
        path = container.path;
        break;
      case '"': {
        const start = at + 1;
        at = findStringEnd(text, start);
        NAME_END.lastIndex = at;
        const nameEnd = NAME_END.exec(text);
        if (nameEnd === null) yield { path, index: container.index, start, end: at };
        else {
          const name = text.slice(start, at);
          path = joinPath(container.path, name);
          if (name === 'index' && nameEnd[1] !== undefined) container.index = nameEnd[1];
        }
      }
    }
  }
}

function joinPath(path: string, name: string): string {
  return path.length + name.length < MAX_PATH_LENGTH ? `${path}.${name}` : path;
}

function findStringEnd(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Returns true if the character before `at` begins an escape, as in `\n`. */
function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text[at - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
}
