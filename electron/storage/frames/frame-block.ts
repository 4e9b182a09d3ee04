/**
 * Combines frames of one stream into one row. Threads load this file, so it must not import zod.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { RunEventOf } from '../../../shared/run.ts';

/** Exceeds the number of events in any run, while keeping the keys exact integers. */
const KEYS_PER_RUN = 2 ** 26;

/** A single integer key needs no extra index and lets SQLite skip rows without reading bodies. */
export function eventKey(run: number, seq: number): number {
  return run * KEYS_PER_RUN + Math.min(seq, KEYS_PER_RUN - 1);
}

export function getSeq(key: number): number {
  return key % KEYS_PER_RUN;
}

export function getKeys(run: number): [first: number, last: number] {
  return [eventKey(run, 0), eventKey(run, KEYS_PER_RUN)];
}

export type FrameEvent = RunEventOf<'chunk'>;

export interface FrameBlock {
  /** Number of the first frame; the others are numbered consecutively. */
  seq: number;
  exchange: number;
  atMs: number[];
  /** Length of each frame within `text`, in UTF-16 code units. */
  lengths: number[];
  text: string;
  names: [number, string][];
  comments: number[];
}

/** A block is packed at this many characters. */
const BLOCK_LENGTH = 256 * 1024;

export function startBlock({ seq, exchange, ...frame }: FrameEvent): FrameBlock {
  const block = { seq, exchange, atMs: [], lengths: [], text: '', names: [], comments: [] };
  addFrame(block, frame);
  return block;
}

/** Returns false if the frame doesn't directly follow the block or the block is full. */
export function extendBlock(block: FrameBlock, frame: FrameEvent): boolean {
  if (!areAdjacent(block, frame) || block.text.length + frame.data.length > BLOCK_LENGTH)
    return false;
  addFrame(block, frame);
  return true;
}

function addFrame(
  block: FrameBlock,
  { atMs, data, event, comment }: Omit<FrameEvent, 'seq' | 'exchange'>,
): void {
  const index = block.lengths.length;
  block.atMs.push(atMs);
  block.lengths.push(data.length);
  block.text += data;
  if (event !== null) block.names.push([index, event]);
  if (comment) block.comments.push(index);
}

/** Returns true if `next` belongs to the same exchange and directly follows the block. */
export function areAdjacent(
  block: FrameBlock,
  next: Pick<FrameBlock, 'seq' | 'exchange'>,
): boolean {
  return block.exchange === next.exchange && block.seq + block.lengths.length === next.seq;
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

/** Higher compression levels are slower and save only a few bytes. */
const PACKING_LEVEL = 1;

/** Times are stored as differences in microseconds, which compress well. */
interface BlockHead {
  at: number[];
  lengths: number[];
  names?: [number, string][];
  comments?: number[];
  /** Uses UTF-16, because UTF-8 can't encode half of a surrogate pair. */
  halves?: true;
}

/** Avoids zod, which would take the thread longer to load than all other work. */
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

/** The length of the header comes first. */
const LENGTH_BYTES = 4;

function getBytes({ atMs, lengths, text, names, comments }: FrameBlock): Buffer {
  let last = 0;
  const at = atMs.map((time) => {
    const micros = Math.round(time * 1000);
    const since = micros - last;
    last = micros;
    return since;
  });
  const head: BlockHead = { at, lengths };
  if (names.length > 0) head.names = names;
  if (comments.length > 0) head.comments = comments;
  if (!text.isWellFormed()) head.halves = true;
  const headBytes = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(headBytes.length);
  const textBytes = Buffer.from(text, head.halves ? 'utf16le' : 'utf8');
  return Buffer.concat([length, headBytes, textBytes]);
}

/** A longer dictionary costs more time than its savings are worth. */
const DICTIONARY_BYTES = 2048;

export function getDictionary(block: FrameBlock): Uint8Array {
  return getBytes(block).subarray(0, DICTIONARY_BYTES);
}

/** Returns the compressed row body; a few frames compress well only with `dictionary`. */
export function packBlock(block: FrameBlock, dictionary: Uint8Array | null): Uint8Array {
  return deflateRawSync(getBytes(block), { level: PACKING_LEVEL, ...withDictionary(dictionary) });
}

function withDictionary(dictionary: Uint8Array | null): { dictionary?: Uint8Array } {
  return dictionary === null ? {} : { dictionary };
}

export interface StoredBlock {
  seq: number;
  exchange: number;
  body: Uint8Array;
  dictionary: Uint8Array | null;
}

export function unpackBlock(row: StoredBlock): FrameBlock {
  const bytes = inflateRawSync(row.body, withDictionary(row.dictionary));
  const textFrom = LENGTH_BYTES + bytes.readUInt32LE();
  const json: unknown = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, textFrom));
  if (!isHead(json)) throw new TypeError('This isn’t the head of a block.');
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

export function joinBlocks(blocks: readonly FrameBlock[]): FrameBlock {
  const { seq, exchange } = blocks[0] ?? { seq: 0, exchange: 0 };
  const shift = (frame: number, block: FrameBlock) => block.seq - seq + frame;
  return {
    seq,
    exchange,
    atMs: blocks.flatMap(({ atMs }) => atMs),
    lengths: blocks.flatMap(({ lengths }) => lengths),
    text: blocks.map(({ text }) => text).join(''),
    names: blocks.flatMap((block) =>
      block.names.map(([frame, name]): [number, string] => [shift(frame, block), name]),
    ),
    comments: blocks.flatMap((block) => block.comments.map((frame) => shift(frame, block))),
  };
}
