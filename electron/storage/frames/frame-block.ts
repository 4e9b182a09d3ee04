/** Frames of one stream that were recorded together, as one row: their texts joined, their times as differences. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { RunEventOf } from '../../../shared/run.ts';

export type FrameEvent = RunEventOf<'chunk'>;

export interface FrameBlock {
  /** Of the first frame; the others follow without a gap. */
  seq: number;
  exchange: number;
  /** Milliseconds since the run's start, of each frame. */
  atMs: readonly number[];
  /** In UTF-16 code units, of each frame's data in `text`. */
  lengths: readonly number[];
  text: string;
  /** `[index of the frame, its event name]`, of those that have one. */
  names: [number, string][];
  /** The indexes of comments. */
  comments: number[];
}

/** UTF-16 code units of frames in one block, until it is packed. */
export const BLOCK_LENGTH = 256 * 1024;

/** The frames from the first on that belong in one block: same exchange, no gap. There is at least one frame. */
export function countOfBlock(frames: readonly FrameEvent[], mostLength: number): number {
  const [first] = frames;
  let length = 0;
  const end = frames.findIndex((frame, index) => {
    length += frame.data.length;
    const follows = frame.seq === (first?.seq ?? 0) + index && frame.exchange === first?.exchange;
    return !follows || (index > 0 && length > mostLength);
  });
  return end === -1 ? frames.length : end;
}

/** Whether nothing comes between the two. */
export function follows(last: FrameBlock, next: Pick<FrameBlock, 'seq' | 'exchange'>): boolean {
  return last.exchange === next.exchange && nextSeq(last) === next.seq;
}

export function getBlock(frames: readonly FrameEvent[]): FrameBlock {
  const atMs: number[] = [];
  const lengths: number[] = [];
  const names: [number, string][] = [];
  const comments: number[] = [];
  frames.forEach((frame, index) => {
    atMs.push(frame.atMs);
    lengths.push(frame.data.length);
    if (frame.event !== null) names.push([index, frame.event]);
    if (frame.comment) comments.push(index);
  });
  const { seq, exchange } = frames[0] ?? { seq: 0, exchange: 0 };
  const text = frames.map(({ data }) => data).join('');
  return { seq, exchange, atMs, lengths, text, names, comments };
}

/** The number behind its last frame; 1 where there is no block. */
export function nextSeq(block: FrameBlock | undefined): number {
  return block === undefined ? 1 : block.seq + block.lengths.length;
}

export function getFrames(block: FrameBlock): FrameEvent[] {
  const names = new Map(block.names);
  const comments = new Set(block.comments);
  let from = 0;
  return block.lengths.map((length, index) => {
    const data = block.text.slice(from, from + length);
    from += length;
    return {
      kind: 'chunk',
      seq: block.seq + index,
      atMs: block.atMs[index] ?? 0,
      exchange: block.exchange,
      data,
      event: names.get(index) ?? null,
      comment: comments.has(index),
    };
  });
}

/** Quick; a higher one saves a few bytes more. */
const PACKING_LEVEL = 1;

/** Times are kept to the microsecond, as differences: small numbers, and many alike. */
interface BlockHead {
  at: number[];
  lengths: number[];
  names?: [number, string][];
  comments?: number[];
  /** The text is in UTF-16: it has half of a surrogate pair, which UTF-8 cannot say. */
  halves?: true;
}

/** By hand: a schema would be loaded by each thread that writes or reads frames, and takes longer than all else of it. */
function isHead(json: unknown): json is BlockHead {
  if (typeof json !== 'object' || json === null) return false;
  const { at, lengths, names, comments, halves }: { [Field in keyof BlockHead]?: unknown } = json;
  return (
    areWholeNumbers(at) &&
    areWholeNumbers(lengths) &&
    lengths.every((length) => length >= 0) &&
    (names === undefined || (Array.isArray(names) && names.every(isName))) &&
    (comments === undefined || areWholeNumbers(comments)) &&
    (halves === undefined || halves === true)
  );
}

function areWholeNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item));
}

function isName(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    Number.isSafeInteger(value[0]) &&
    typeof value[1] === 'string'
  );
}

/** Of the head's length, before the head. */
const LENGTH_BYTES = 4;

/** What the row's body holds: the length of the head, the head as JSON, the text. */
function getBytes({ atMs, lengths, text, names, comments }: FrameBlock): Buffer {
  let last = 0;
  const at = atMs.map((time) => {
    const micros = Math.round(time * 1000);
    const since = micros - last;
    last = micros;
    return since;
  });
  const head: BlockHead = { at, lengths: [...lengths] };
  if (names.length > 0) head.names = names;
  if (comments.length > 0) head.comments = comments;
  if (!text.isWellFormed()) head.halves = true;
  const headBytes = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(headBytes.length);
  const textBytes = Buffer.from(text, head.halves ? 'utf16le' : 'utf8');
  return Buffer.concat([length, headBytes, textBytes]);
}

/** Longer ones take longer to set than they save. */
const DICTIONARY_BYTES = 2048;

/** What the blocks of a run are likely to repeat, by its first one. */
export function getDictionary(block: FrameBlock): Uint8Array {
  return getBytes(block).subarray(0, DICTIONARY_BYTES);
}

/**
 * The body of the block's row, compressed. A few frames by themselves are hardly shorter then: `dictionary`, which is
 * needed to read them, leaves what is new in them.
 */
export function packBlock(block: FrameBlock, dictionary: Uint8Array | null): Uint8Array {
  return deflateRawSync(getBytes(block), { level: PACKING_LEVEL, ...withDictionary(dictionary) });
}

function withDictionary(dictionary: Uint8Array | null): { dictionary?: Uint8Array } {
  return dictionary === null ? {} : { dictionary };
}

/** The row of a block as it is stored; `dictionary` is null if it was packed without. */
export interface StoredBlock {
  seq: number;
  exchange: number;
  body: Uint8Array;
  dictionary: Uint8Array | null;
}

/** Throws where it is not such a body. */
export function unpackBlock(row: StoredBlock): FrameBlock {
  const bytes = inflateRawSync(row.body, withDictionary(row.dictionary));
  const textFrom = LENGTH_BYTES + bytes.readUInt32LE();
  const json: unknown = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, textFrom));
  if (!isHead(json)) throw new TypeError('This is not the head of a block.');
  const { at, lengths, names = [], comments = [], halves } = json;
  let micros = 0;
  const atMs = at.map((since) => {
    micros += since;
    return micros / 1000;
  });
  const text = bytes.toString(halves ? 'utf16le' : 'utf8', textFrom);
  const { seq, exchange } = row;
  return { seq, exchange, atMs, lengths, text, names, comments };
}

/** Blocks that follow each other, as one; there is at least one. */
export function joinBlocks(blocks: readonly FrameBlock[]): FrameBlock {
  const { seq, exchange } = blocks[0] ?? { seq: 0, exchange: 0 };
  const [only] = blocks;
  if (only !== undefined && blocks.length === 1) return only;
  const behind = (frame: number, block: FrameBlock) => block.seq - seq + frame;
  return {
    seq,
    exchange,
    atMs: blocks.flatMap(({ atMs }) => atMs),
    lengths: blocks.flatMap(({ lengths }) => lengths),
    text: blocks.map(({ text }) => text).join(''),
    names: blocks.flatMap((block) =>
      block.names.map(([frame, name]): [number, string] => [behind(frame, block), name]),
    ),
    comments: blocks.flatMap((block) => block.comments.map((frame) => behind(frame, block))),
  };
}

/** Those that follow each other, joined as far as `mostLength` UTF-16 code units allow. */
export function joinFollowing(blocks: readonly FrameBlock[], mostLength: number): FrameBlock[] {
  const groups: FrameBlock[][] = [];
  let length = 0;
  for (const block of blocks) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    length += block.text.length;
    if (group && last && follows(last, block) && length <= mostLength) group.push(block);
    else {
      groups.push([block]);
      length = block.text.length;
    }
  }
  return groups.map(joinBlocks);
}
