/** What all runs have to write, as it goes to the writer's thread: a copy of many small objects would take longer than the writing. */
import type { FrameBlock } from './frame-block.ts';
import type { FrameBatch } from './frame-sink.ts';

export interface FrameParcel {
  /** For each block its run, number, exchange and count of frames, then the time and length of each frame. */
  numbers: Float64Array<ArrayBuffer>;
  /** Of all frames. */
  text: string;
  /** `[position of the frame among all, its event name]`, of those that have one. */
  names: [number, string][];
  /** The positions of comments. */
  comments: number[];
}

const HEAD = 4;

export function toParcel(batches: readonly FrameBatch[]): FrameParcel {
  const blocks = batches.flatMap(({ run, blocks }) => blocks.map((block) => ({ run, block })));
  const size = blocks.reduce((sum, { block }) => sum + HEAD + 2 * block.lengths.length, 0);
  const numbers = new Float64Array(size);
  const names: [number, string][] = [];
  const comments: number[] = [];
  let at = 0;
  let frames = 0;
  for (const { run, block } of blocks) {
    const { seq, exchange, atMs, lengths } = block;
    numbers.set([run, seq, exchange, lengths.length], at);
    at += HEAD;
    for (let frame = 0; frame < lengths.length; frame += 1) {
      numbers[at] = atMs[frame] ?? 0;
      numbers[at + 1] = lengths[frame] ?? 0;
      at += 2;
    }
    for (const [frame, name] of block.names) names.push([frames + frame, name]);
    for (const frame of block.comments) comments.push(frames + frame);
    frames += lengths.length;
  }
  return { numbers, text: blocks.map(({ block }) => block.text).join(''), names, comments };
}

export function fromParcel({ numbers, text, names, comments }: FrameParcel): FrameBatch[] {
  const batches: FrameBatch[] = [];
  let frames = 0;
  let from = 0;
  for (let at = 0; at < numbers.length; ) {
    const [run = 0, seq = 0, exchange = 0, count = 0] = numbers.subarray(at, at + HEAD);
    at += HEAD;
    const atMs: number[] = [];
    const lengths: number[] = [];
    let length = 0;
    for (const end = at + 2 * count; at < end; at += 2) {
      atMs.push(numbers[at] ?? 0);
      lengths.push(numbers[at + 1] ?? 0);
      length += numbers[at + 1] ?? 0;
    }
    const end = frames + count;
    const first = frames;
    const isHere = (frame: number) => frame >= first && frame < end;
    const block: FrameBlock = {
      seq,
      exchange,
      atMs,
      lengths,
      text: text.slice(from, from + length),
      names: names.flatMap(([frame, name]) => (isHere(frame) ? [[frame - first, name]] : [])),
      comments: comments.filter(isHere).map((frame) => frame - first),
    };
    const last = batches.at(-1);
    if (last?.run === run) last.blocks.push(block);
    else batches.push({ run, blocks: [block] });
    frames = end;
    from += length;
  }
  return batches;
}
