/** Reads the frames of a run out of their blocks. */
import type { StatementSync } from 'node:sqlite';
import { type FrameEvent, framesOf, unpackBlock } from './frame-block.ts';
import { frameKey, keysOf, seqOfKey } from './frame-file.ts';

/** The file, as its readers see it. */
export interface FrameFile {
  sql(text: string): StatementSync;
}

/** From the block on that holds the frame behind number `behind`. */
const BLOCKS = `SELECT key, exchange, body FROM frames
  WHERE key BETWEEN coalesce(
      (SELECT max(key) FROM frames WHERE key BETWEEN :first AND :behind), :first) AND :last
    AND key + count > :behind + 1
    AND (:exchange IS NULL OR exchange = :exchange)
  ORDER BY key`;

/** In order, those behind number `after`. `run` is the run's row in the ledger. */
export function* readFrames(
  file: FrameFile,
  run: number,
  { after, exchange = null }: { after: number; exchange?: number | null },
  onUnreadable: () => void,
): Generator<FrameEvent> {
  const [first, last] = keysOf(run);
  const filter = { first, last, behind: frameKey(run, after), exchange };
  let seen = after;
  for (const { key, exchange: number, body } of file.sql(BLOCKS).iterate(filter)) {
    const place = { seq: seqOfKey(Number(key)), exchange: Number(number) };
    let frames: FrameEvent[] = [];
    try {
      if (!(body instanceof Uint8Array)) throw new TypeError('The block has no bytes.');
      frames = framesOf(unpackBlock({ ...place, body }));
    } catch {
      onUnreadable();
    }
    for (const frame of frames) {
      // Written a second time where the writer ended before it could say so.
      if (frame.seq <= seen) continue;
      yield frame;
      seen = frame.seq;
    }
  }
}

/** The number of the last frame; 0 where there is none. */
export function readLastFrame(file: FrameFile, run: number): number {
  const block = file
    .sql('SELECT key, count FROM frames WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1')
    .get(...keysOf(run));
  return block === undefined ? 0 : seqOfKey(Number(block.key)) + Number(block.count) - 1;
}
