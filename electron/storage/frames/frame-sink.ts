/** Writes frames into their file: what came between two flushes, what is packed later, and what is deleted. */
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../transaction.ts';
import { type FrameBlock, joinBlocks, packBlock, seqBehind, unpackBlock } from './frame-block.ts';
import { frameKey, keysOf, seqOfKey } from './frame-file.ts';

/** What one run has to write, in order. */
export interface FrameBatch {
  /** The run's row in the ledger. */
  run: number;
  blocks: FrameBlock[];
}

export interface FrameSink {
  /** In one transaction. Throws what SQLite throws; then nothing of it is written. */
  write(batches: readonly FrameBatch[]): void;
  /** Deletes a few rows of a run; returns whether there are more. */
  removeSome(run: number): boolean;
  /** Joins a few of the blocks of a run that has ended; returns whether there are more. */
  packSome(run: number): boolean;
  /** The runs that have blocks which were never packed. */
  unpacked(): number[];
}

/** Rows deleted at once. */
const REMOVED = 500;
/** UTF-16 code units of frames in a packed block: read whole where one frame of it is read. */
const PACKED_LENGTH = 256 * 1024;
/** Blocks joined at once. */
const JOINED = 2000;

export function createFrameSink(db: DatabaseSync): FrameSink {
  // Replaces what begins at the same number: only an unreadable row can be there.
  const insertBlock = db.prepare(
    'INSERT OR REPLACE INTO frames (key, count, exchange, packed, body) VALUES (?, ?, ?, ?, ?)',
  );
  const loose = db.prepare(
    'SELECT key, exchange, body FROM frames WHERE key BETWEEN ? AND ? AND packed = 0 ORDER BY key LIMIT ?',
  );
  const known = new Set<number>();
  const noteUnpacked = db.prepare('INSERT OR IGNORE INTO unpacked (run) VALUES (?)');
  const forgetUnpacked = db.prepare('DELETE FROM unpacked WHERE run = ?');
  const removeBlocks = db.prepare('DELETE FROM frames WHERE key BETWEEN ? AND ?');

  function writeBlock(run: number, block: FrameBlock, packed: 0 | 1): void {
    const { seq, lengths, exchange } = block;
    insertBlock.run(frameKey(run, seq), lengths.length, exchange, packed, packBlock(block));
  }

  function forget(run: number): void {
    known.delete(run);
    forgetUnpacked.run(run);
  }

  return {
    write(batches) {
      inTransaction(db, () => {
        for (const { run, blocks } of batches) {
          if (!known.has(run)) noteUnpacked.run(run);
          for (const block of blocks) writeBlock(run, block, 0);
        }
      });
      for (const { run } of batches) known.add(run);
    },

    unpacked: () =>
      db
        .prepare('SELECT run FROM unpacked')
        .all()
        .map(({ run }) => Number(run)),

    removeSome(run) {
      const [first, last] = keysOf(run);
      const { changes } = db
        .prepare(`DELETE FROM frames WHERE key IN
          (SELECT key FROM frames WHERE key BETWEEN ? AND ? LIMIT ${REMOVED})`)
        .run(first, last);
      if (Number(changes) === REMOVED) return true;
      forget(run);
      return false;
    },

    packSome(run) {
      const rows = loose.all(...keysOf(run), JOINED);
      const group: FrameBlock[] = [];
      let length = 0;
      for (const row of rows) {
        const block = readBlock(row);
        const [first] = group;
        const follows =
          group.length === 0 ||
          (first?.exchange === block?.exchange && seqBehind(group.at(-1)) === block?.seq);
        if (block === null || !follows || length > PACKED_LENGTH) break;
        group.push(block);
        length += block.text.length;
      }
      const [first] = group;
      inTransaction(db, () => {
        if (first === undefined) {
          // What cannot be read stays as it is.
          db.prepare('UPDATE frames SET packed = 1 WHERE key = ?').run(Number(rows[0]?.key ?? 0));
          return;
        }
        removeBlocks.run(frameKey(run, first.seq), frameKey(run, seqBehind(group.at(-1)) - 1));
        writeBlock(run, joinBlocks(group), 1);
      });
      // Where all that was read went into one block, there may be more behind it.
      if (rows.length === JOINED || rows.length > Math.max(1, group.length)) return true;
      forget(run);
      return false;
    },
  };
}

/** Null where it cannot be read. */
function readBlock({ key, exchange, body }: Record<string, unknown>): FrameBlock | null {
  if (!(body instanceof Uint8Array)) return null;
  try {
    return unpackBlock({ seq: seqOfKey(Number(key)), exchange: Number(exchange), body });
  } catch {
    return null;
  }
}
