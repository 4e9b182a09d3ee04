/** Reads the frames of a run out of their blocks. */
import type { StatementSync } from 'node:sqlite';
import { eventKey, getKeys, seqOfKey } from '../event-key.ts';
import { iterate } from '../sqlite-file.ts';
import { isCorruption } from '../storage-error.ts';
import { type FrameEvent, getFrames } from './frame-block.ts';
import { BLOCK_COLUMNS, readBlock } from './frame-file.ts';

/** The file, as its readers see it. */
export interface FrameFile {
  sql(text: string): StatementSync;
}

/** From the block on that holds the frame behind number `behind`. */
const BLOCKS = `SELECT ${BLOCK_COLUMNS} FROM frames
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
  const [first, last] = getKeys(run);
  const filter = { run, first, last, behind: eventKey(run, after), exchange };
  let seen = after;
  for (const row of untilDamage(() => iterate(file.sql(BLOCKS), filter), onUnreadable)) {
    let frames: FrameEvent[] = [];
    try {
      frames = getFrames(readBlock(row));
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

/** The number of the last frame; 0 if there is none, or none that can be read. */
export function readLastFrame(file: FrameFile, run: number, onUnreadable: () => void): number {
  try {
    const last = file
      .sql('SELECT key, count FROM frames WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1')
      .get(...getKeys(run));
    return last === undefined ? 0 : seqOfKey(Number(last.key)) + Number(last.count) - 1;
  } catch (cause) {
    if (!isCorruption(cause)) throw cause;
    onUnreadable();
    return 0;
  }
}

/** The rows before the place where the file is damaged: what else there is of the run is shown. */
function* untilDamage<Row>(rows: () => Iterable<Row>, onDamage: () => void): Generator<Row> {
  try {
    yield* rows();
  } catch (cause) {
    if (!isCorruption(cause)) throw cause;
    onDamage();
  }
}
