/** Writes frames into their file: what came between two flushes, what is packed later, and what is deleted. */
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../transaction.ts';
import { dictionaryOf, type FrameBlock, joinBlocks, packBlock, seqBehind } from './frame-block.ts';
import { BLOCK_COLUMNS, frameKey, keysOf, readBlock } from './frame-file.ts';

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
    `SELECT ${BLOCK_COLUMNS} FROM frames
      WHERE key BETWEEN :first AND :last AND packed = 0 ORDER BY key LIMIT ${JOINED}`,
  );
  const dictionaries = new Map<number, Uint8Array | null>();
  const noteUnpacked = db.prepare('INSERT OR IGNORE INTO unpacked (run, dictionary) VALUES (?, ?)');
  const findDictionary = db.prepare('SELECT dictionary FROM unpacked WHERE run = ?');
  const forgetUnpacked = db.prepare('DELETE FROM unpacked WHERE run = ?');
  const removeBlocks = db.prepare('DELETE FROM frames WHERE key BETWEEN ? AND ?');

  function writePacked(run: number, block: FrameBlock): void {
    const { seq, lengths, exchange } = block;
    insertBlock.run(frameKey(run, seq), lengths.length, exchange, 1, packBlock(block, null));
  }

  /** What `run` has of an earlier process is read with the dictionary that it was written with. */
  function noteDictionary(run: number, first: FrameBlock): Uint8Array | null {
    noteUnpacked.run(run, dictionaryOf(first));
    const dictionary = findDictionary.get(run)?.dictionary;
    return dictionary instanceof Uint8Array ? dictionary : null;
  }

  function forget(run: number): void {
    dictionaries.delete(run);
    forgetUnpacked.run(run);
  }

  return {
    write(batches) {
      const noted = new Map<number, Uint8Array | null>();
      inTransaction(db, () => {
        for (const { run, blocks } of batches) {
          const [first] = blocks;
          if (first === undefined) continue;
          const known = dictionaries.get(run) ?? noted.get(run);
          const dictionary = known === undefined ? noteDictionary(run, first) : known;
          noted.set(run, dictionary);
          for (const block of blocks) {
            const { seq, lengths, exchange } = block;
            const body = packBlock(block, dictionary);
            insertBlock.run(frameKey(run, seq), lengths.length, exchange, 0, body);
          }
        }
      });
      for (const [run, dictionary] of noted) dictionaries.set(run, dictionary);
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
      const [from, to] = keysOf(run);
      const rows = loose.all({ run, first: from, last: to });
      const group: FrameBlock[] = [];
      let length = 0;
      for (const row of rows) {
        const block = readable(row);
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
        writePacked(run, joinBlocks(group));
      });
      // Where all that was read went into one block, there may be more behind it.
      if (rows.length === JOINED || rows.length > Math.max(1, group.length)) return true;
      forget(run);
      return false;
    },
  };
}

/** Null where it cannot be read. */
function readable(row: Record<string, unknown>): FrameBlock | null {
  try {
    return readBlock(row);
  } catch {
    return null;
  }
}
