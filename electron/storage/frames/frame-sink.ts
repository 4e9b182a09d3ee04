/** Writes frames into their file: what came between two flushes, what is packed later, and what is deleted. */
import type { DatabaseSync } from 'node:sqlite';
import { eventKey, getKeys } from '../event-key.ts';
import { inTransaction, iterate } from '../sqlite-file.ts';
import {
  BLOCK_LENGTH,
  type FrameBlock,
  follows,
  getDictionary,
  joinBlocks,
  joinFollowing,
  nextSeq,
  packBlock,
} from './frame-block.ts';
import { BLOCK_COLUMNS, readBlock } from './frame-file.ts';

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

/** What a frame weighs without its text: there are gateways that send comments by the thousand. */
const FRAME_LENGTH = 16;
/** What a block weighs to be read, without its frames: some hold a single one. */
const BLOCK_WEIGHT = 256;
/** Rows deleted at once. */
const REMOVED = 500;
/**
 * UTF-16 code units of frames in a packed block: read whole where one frame of it is read, and joined in 3 or 4 ms,
 * for which writing waits.
 */
const PACKED_LENGTH = 128 * 1024;

export function createFrameSink(db: DatabaseSync): FrameSink {
  // Replaces what begins at the same number: only an unreadable row can be there.
  const insertBlock = db.prepare(
    'INSERT OR REPLACE INTO frames (key, count, exchange, packed, body) VALUES (?, ?, ?, ?, ?)',
  );
  const loose = db.prepare(
    `SELECT ${BLOCK_COLUMNS} FROM frames
      WHERE key BETWEEN :first AND :last AND packed = 0 ORDER BY key`,
  );
  const dictionaries = new Map<number, Uint8Array | null>();
  const noteUnpacked = db.prepare('INSERT OR IGNORE INTO unpacked (run, dictionary) VALUES (?, ?)');
  const findDictionary = db.prepare('SELECT dictionary FROM unpacked WHERE run = ?');
  const forgetUnpacked = db.prepare('DELETE FROM unpacked WHERE run = ?');
  const removeBlocks = db.prepare('DELETE FROM frames WHERE key BETWEEN ? AND ?');

  function writePacked(run: number, block: FrameBlock): void {
    const { seq, lengths, exchange } = block;
    insertBlock.run(eventKey(run, seq), lengths.length, exchange, 1, packBlock(block, null));
  }

  /** The one that is there where an earlier process began the run: all that is not packed is read with the same. */
  function noteDictionary(run: number, first: FrameBlock): Uint8Array | null {
    noteUnpacked.run(run, getDictionary(first));
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
        for (const { run, blocks: parts } of batches) {
          // Here, not in main: joining so many takes it as long as reading them.
          const blocks = joinFollowing(parts, BLOCK_LENGTH);
          const [first] = blocks;
          if (first === undefined) continue;
          const known = dictionaries.has(run) ? dictionaries : noted;
          if (!known.has(run)) noted.set(run, noteDictionary(run, first));
          const dictionary = known.get(run) ?? null;
          for (const block of blocks) {
            const { seq, lengths, exchange } = block;
            const body = packBlock(block, dictionary);
            insertBlock.run(eventKey(run, seq), lengths.length, exchange, 0, body);
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
      const [first, last] = getKeys(run);
      const { changes } = db
        .prepare(`DELETE FROM frames WHERE key IN
          (SELECT key FROM frames WHERE key BETWEEN ? AND ? LIMIT ${REMOVED})`)
        .run(first, last);
      if (Number(changes) === REMOVED) return true;
      forget(run);
      return false;
    },

    packSome(run) {
      const [from, to] = getKeys(run);
      const group: FrameBlock[] = [];
      let length = 0;
      /** The first that is left out of the group. */
      let next: Record<string, unknown> | null = null;
      for (const row of iterate(loose, { run, first: from, last: to })) {
        const block = readable(row);
        const last = group.at(-1);
        length += block === null ? 0 : getWeight(block);
        const isNext =
          block !== null &&
          (last === undefined || (follows(last, block) && length <= PACKED_LENGTH));
        if (!isNext) {
          next = row;
          break;
        }
        group.push(block);
      }
      const [first] = group;
      inTransaction(db, () => {
        if (first !== undefined) {
          removeBlocks.run(eventKey(run, first.seq), eventKey(run, nextSeq(group.at(-1)) - 1));
          writePacked(run, joinBlocks(group));
        } else if (next !== null) {
          // What cannot be read stays as it is.
          db.prepare('UPDATE frames SET packed = 1 WHERE key = ?').run(Number(next.key));
        }
        if (next === null) forget(run);
      });
      return next !== null;
    },
  };
}

function getWeight({ text, lengths }: FrameBlock): number {
  return BLOCK_WEIGHT + text.length + FRAME_LENGTH * lengths.length;
}

/** Null if it cannot be read. */
function readable(row: Record<string, unknown>): FrameBlock | null {
  try {
    return readBlock(row);
  } catch {
    return null;
  }
}
