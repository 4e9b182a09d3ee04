/**
 * Finds secrets in pieces: each string of a response continues the one before it at its JSON path.
 */
import type { Range, Redactor } from './redactor.ts';

/** Where each event has a piece of a secret, by the event's number. */
export type Cuts = ReadonlyMap<number, readonly Range[]>;

export interface SecretSearch {
  /** Adds the text of the next event, which is JSON or a text on its own. */
  add(seq: number, text: string): void;
  /** Like `add`, but pauses after each piece of work, so that the caller can yield. */
  addInSteps(seq: number, text: string): Generator<void, void>;
  /** Returns the matches found since the last call, which may reach into earlier texts. */
  takeCuts(): Cuts;
}

/** Searching a long text at once is fast, and takes well under a millisecond. */
const BATCH_LENGTH = 32 * 1024;
/** Limits what all paths hold in memory. */
const MAX_WAITING_LENGTH = 4 * 1024 * 1024;
/** Names of further paths aren't distinguished, so that a hostile response can't fill the memory. */
const MAX_PATHS = 5000;
const STEP_STRINGS = 500;

/** The strings at one path that aren't searched yet, after the end of those that are. */
interface Lane {
  texts: string[];
  seqs: number[];
  starts: number[];
  length: number;
}

/** A JSON path without array indexes. */
interface Path {
  names: Map<string, Path> | null;
  lane: Lane | null;
  /** The index of the first choice or item, and the strings of each once there are several. */
  firstIndex: number | null;
  byIndex: Map<number, Lane> | null;
}

interface Container {
  path: Path;
  isObject: boolean;
  index: number | null;
}

/** Matches the next event if it differs from the last one in a single string. */
interface Template {
  head: string;
  tail: string;
  path: Path;
  index: number | null;
}

const nothing: Cuts = new Map();

const noSearch: SecretSearch = {
  add: () => undefined,
  *addInSteps() {},
  takeCuts: () => nothing,
};

export function createSecretSearch(redactor: Redactor): SecretSearch {
  if (redactor.maxLength === 0) return noSearch;
  const tailLength = redactor.maxLength;
  const batchLength = Math.max(BATCH_LENGTH, 4 * tailLength);
  const root = createPath();
  const plain = createPath();
  const lanes: Lane[] = [];
  let pathCount = 0;
  let waitingLength = 0;
  let limit = MAX_WAITING_LENGTH;
  let cuts = new Map<number, Range[]>();
  let last = '';
  let template: Template | null = null;

  function getPath(from: Path, name: string): Path {
    const known = from.names?.get(name);
    if (known !== undefined) return known;
    if (pathCount >= MAX_PATHS) return from;
    pathCount += 1;
    const path = createPath();
    from.names ??= new Map();
    from.names.set(name, path);
    return path;
  }

  function createLane(): Lane {
    const lane: Lane = { texts: [], seqs: [], starts: [], length: 0 };
    lanes.push(lane);
    return lane;
  }

  /** The last string in `from` belongs to another index. */
  function copyLane(from: Lane): Lane {
    const lane = createLane();
    lane.texts = from.texts.slice(0, -1);
    lane.seqs = from.seqs.slice(0, -1);
    lane.starts = from.starts.slice(0, -1);
    lane.length = lane.texts.join('').length;
    waitingLength += lane.length;
    return lane;
  }

  function push(path: Path, index: number | null, seq: number, start: number, text: string): void {
    path.lane ??= createLane();
    pushTo(path.lane, seq, start, text);
    if (index === null) return;
    path.firstIndex ??= index;
    if (path.byIndex === null && index === path.firstIndex) return;
    path.byIndex ??= new Map([[path.firstIndex, copyLane(path.lane)]]);
    let lane = path.byIndex.get(index);
    if (lane === undefined) {
      if (path.byIndex.size >= MAX_PATHS) return;
      lane = createLane();
      path.byIndex.set(index, lane);
    }
    pushTo(lane, seq, start, text);
  }

  function pushTo(lane: Lane, seq: number, start: number, text: string): void {
    lane.texts.push(text);
    lane.seqs.push(seq);
    lane.starts.push(start);
    lane.length += text.length;
    waitingLength += text.length;
    if (lane.length >= batchLength) search(lane);
    if (waitingLength >= limit) searchAll();
  }

  function searchAll(): void {
    for (const lane of lanes) search(lane);
    limit = 2 * waitingLength + MAX_WAITING_LENGTH;
  }

  /** Keeps the end of the lane, in which a secret may begin. */
  function search(lane: Lane): void {
    const joined = lane.texts.join('');
    for (const range of redactor.find(joined)) cut(lane, range, isEscaped(joined, range.start));
    let kept = lane.texts.length;
    let keptLength = 0;
    while (kept > 0 && keptLength < tailLength) {
      kept -= 1;
      keptLength += lane.texts[kept]?.length ?? 0;
    }
    waitingLength -= lane.length - keptLength;
    lane.texts = lane.texts.slice(kept);
    lane.seqs = lane.seqs.slice(kept);
    lane.starts = lane.starts.slice(kept);
    lane.length = keptLength;
  }

  function cut(lane: Lane, { start, end }: Range, isInEscape: boolean): void {
    const from = isInEscape ? start - 1 : start;
    let before = 0;
    for (const [at, text] of lane.texts.entries()) {
      const first = Math.max(from - before, 0);
      const past = Math.min(end - before, text.length);
      before += text.length;
      if (first >= past) continue;
      const [seq = 0, offset = 0] = [lane.seqs[at], lane.starts[at]];
      const ranges = cuts.get(seq) ?? [];
      ranges.push({ start: offset + first, end: offset + past });
      cuts.set(seq, ranges);
    }
  }

  /** Long strings are searched in parts, which also continue each other. */
  function* pushString(
    found: Pick<Template, 'path' | 'index'>,
    seq: number,
    text: string,
    { start, end }: Range,
  ): Generator<void, void> {
    for (let at = start; at < end; at += batchLength) {
      push(found.path, found.index, seq, at, text.slice(at, Math.min(end, at + batchLength)));
      if (end - start > batchLength) yield;
    }
  }

  function* addInSteps(seq: number, text: string): Generator<void, void> {
    if (!/^\s*[[{"]/.test(text)) {
      yield* pushString({ path: plain, index: null }, seq, text, { start: 0, end: text.length });
    }
    if (!text.includes('"')) return;
    const changedAt = findDifference(last, text);
    let changed: (Range & Pick<Template, 'path' | 'index'>) | null = null;
    let count = 0;
    for (const found of readStrings(text, root, getPath)) {
      count += 1;
      if (found === null) {
        yield;
        continue;
      }
      yield* pushString(found, seq, text, found);
      if (found.start <= changedAt && changedAt <= found.end) changed = found;
      if (count % STEP_STRINGS === 0) yield;
    }
    last = text.length <= BATCH_LENGTH ? text : '';
    template = changed && {
      head: text.slice(0, changed.start),
      tail: text.slice(changed.end),
      path: changed.path,
      index: changed.index,
    };
  }

  return {
    add(seq, text) {
      if (template !== null) {
        const { head, tail, path, index } = template;
        const end = text.length - tail.length;
        if (end >= head.length && text.slice(end) === tail && text.slice(0, head.length) === head) {
          const changed = text.slice(head.length, end);
          if (!changed.includes('"') && !changed.includes('\\')) {
            push(path, index, seq, head.length, changed);
            return;
          }
        }
      }
      for (const _step of addInSteps(seq, text));
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

function createPath(): Path {
  return { names: null, lane: null, firstIndex: null, byIndex: null };
}

/** Masks each range, so that everything else keeps its place. */
export function maskRanges(text: string, ranges: readonly Range[]): string {
  return ranges.reduce(
    (left, { start, end }) => left.slice(0, start) + '*'.repeat(end - start) + left.slice(end),
    text,
  );
}

/** Returns true if the character before `at` begins an escape, as in `\n`. */
function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text[at - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
}

function findDifference(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

const [QUOTE, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'",:[]{}'].map(
  (char) => char.charCodeAt(0),
);
const STEP_LENGTH = 256 * 1024;
const INDEX = /\s*(\d{1,4})\b/y;
/** Most gateways send the index first, and others after the text. */
const ANY_INDEX = /"index"\s*:\s*(\d{1,4})\b/;

/**
 * Yields the string values of JSON or of several documents in a row, still escaped; tolerates JSON
 * that was cut. Yields null after a long text without strings.
 */
function* readStrings(
  text: string,
  root: Path,
  getPath: (from: Path, name: string) => Path,
): Generator<(Range & Pick<Template, 'path' | 'index'>) | null, void> {
  const containers: Container[] = [];
  const anyIndex = text.length <= BATCH_LENGTH ? ANY_INDEX.exec(text)?.[1] : undefined;
  let inner: Container = {
    path: root,
    isObject: false,
    index: anyIndex === undefined ? null : Number(anyIndex),
  };
  let name: string | null = null;
  let steppedAt = 0;
  const getValuePath = () => (name === null ? inner.path : getPath(inner.path, name));
  for (let at = 0; at < text.length; at += 1) {
    if (at - steppedAt > STEP_LENGTH) {
      steppedAt = at;
      yield null;
    }
    switch (text.charCodeAt(at)) {
      case OPEN_LIST:
      case OPEN_OBJECT:
        containers.push(inner);
        inner = {
          path: getValuePath(),
          isObject: text.charCodeAt(at) === OPEN_OBJECT,
          index: inner.index,
        };
        name = null;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        inner = containers.pop() ?? inner;
        name = null;
        break;
      case COMMA:
        if (inner.isObject) name = null;
        break;
      case COLON:
        if (name === 'index') {
          INDEX.lastIndex = at + 1;
          const index = INDEX.exec(text)?.[1];
          if (index !== undefined) inner.index = Number(index);
        }
        break;
      case QUOTE: {
        const end = findStringEnd(text, at + 1);
        if (inner.isObject && name === null) name = text.slice(at + 1, end);
        else yield { start: at + 1, end, path: getValuePath(), index: inner.index };
        at = end;
        break;
      }
    }
  }
}

function findStringEnd(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}
