/** Frames of one stream that were recorded together, as one row: their texts joined, their times as differences. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
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

export function blockOf(frames: readonly FrameEvent[]): FrameBlock {
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

export function framesOf(block: FrameBlock): FrameEvent[] {
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
const bodySchema = z.object({
  at: z.array(z.int()),
  lengths: z.array(z.int().nonnegative()),
  text: z.string(),
  names: z.array(z.tuple([z.int(), z.string()])).optional(),
  comments: z.array(z.int()).optional(),
});

/** What the row's body holds. */
export function packBlock({ atMs, lengths, text, names, comments }: FrameBlock): Uint8Array {
  let last = 0;
  const at = atMs.map((time) => {
    const micros = Math.round(time * 1000);
    const since = micros - last;
    last = micros;
    return since;
  });
  const body: z.infer<typeof bodySchema> = { at, lengths: [...lengths], text };
  if (names.length > 0) body.names = names;
  if (comments.length > 0) body.comments = comments;
  return deflateRawSync(JSON.stringify(body), { level: PACKING_LEVEL });
}

/** Throws where it is not such a body. */
export function unpackBlock(row: { seq: number; exchange: number; body: Uint8Array }): FrameBlock {
  const json: unknown = JSON.parse(inflateRawSync(row.body).toString());
  const { at, lengths, text, names = [], comments = [] } = bodySchema.parse(json);
  let micros = 0;
  const atMs = at.map((since) => {
    micros += since;
    return micros / 1000;
  });
  const { seq, exchange } = row;
  return { seq, exchange, atMs, lengths, text, names, comments };
}

/** Blocks that follow each other, as one. */
export function joinBlocks(blocks: readonly FrameBlock[]): FrameBlock {
  return blockOf(blocks.flatMap(framesOf));
}
