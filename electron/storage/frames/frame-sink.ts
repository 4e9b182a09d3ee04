/** Writes, packs and deletes blocks in the frames file. */
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, iterate } from '../sqlite-file.ts';
import {
  areAdjacent,
  eventKey,
  type FrameBlock,
  getDictionary,
  getKeys,
  joinBlocks,
  packBlock,
} from './frame-block.ts';
import { BLOCK_COLUMNS, readBlock } from './frame-file.ts';

export interface FrameBatch {
  run: number;
  blocks: FrameBlock[];
}

export type FrameSink = ReturnType<typeof createFrameSink>;

/** Weight added per frame, because some gateways send thousands of empty comments. */
const FRAME_LENGTH = 16;
/** Weight added per block, because reading many small blocks is slow. */
const BLOCK_WEIGHT = 256;
const REMOVED = 500;
/** Packing blocks of this total weight delays writes by 3 to 4 ms. */
const PACKED_LENGTH = 128 * 1024;

export function createFrameSink(db: DatabaseSync) {
  // Any row with the same number can only be an unreadable one.
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

  function insert(run: number, block: FrameBlock, packed: 0 | 1, dictionary: Uint8Array | null) {
    const { seq, lengths, exchange } = block;
    const body = packBlock(block, dictionary);
    insertBlock.run(eventKey(run, seq), lengths.length, exchange, packed, body);
  }

  /** All unpacked blocks of a run share one dictionary, which may be from an earlier process. */
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
    /** Writes everything in one transaction; throws the SQLite error on failure. */
    write(batches: readonly FrameBatch[]): void {
      const noted = new Map<number, Uint8Array | null>();
      inTransaction(db, () => {
        for (const { run, blocks } of batches) {
          const [first] = blocks;
          if (first === undefined) continue;
          const known = dictionaries.has(run) ? dictionaries : noted;
          if (!known.has(run)) noted.set(run, noteDictionary(run, first));
          const dictionary = known.get(run) ?? null;
          for (const block of blocks) insert(run, block, 0, dictionary);
        }
      });
      for (const [run, dictionary] of noted) dictionaries.set(run, dictionary);
    },

    listUnpacked: () =>
      db
        .prepare('SELECT run FROM unpacked')
        .all()
        .map(({ run }) => Number(run)),

    removeSome(run: number): boolean {
      const [first, last] = getKeys(run);
      const { changes } = db
        .prepare(`DELETE FROM frames WHERE key IN
          (SELECT key FROM frames WHERE key BETWEEN ? AND ? LIMIT ${REMOVED})`)
        .run(first, last);
      if (Number(changes) === REMOVED) return true;
      forget(run);
      return false;
    },

    packSome(run: number): boolean {
      const [from, to] = getKeys(run);
      const group: FrameBlock[] = [];
      let length = 0;
      let next: Record<string, unknown> | null = null;
      for (const row of iterate(loose, { run, first: from, last: to })) {
        const block = readOrNull(row);
        const last = group.at(-1);
        length += block === null ? 0 : getWeight(block);
        const isNext =
          block !== null &&
          (last === undefined || (areAdjacent(last, block) && length <= PACKED_LENGTH));
        if (!isNext) {
          next = row;
          break;
        }
        group.push(block);
      }
      inTransaction(db, () => {
        if (group.length > 0) {
          const joined = joinBlocks(group);
          const lastSeq = joined.seq + joined.lengths.length - 1;
          removeBlocks.run(eventKey(run, joined.seq), eventKey(run, lastSeq));
          insert(run, joined, 1, null);
        } else if (next !== null) {
          // Leave a block that can't be read unchanged.
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

function readOrNull(row: Record<string, unknown>): FrameBlock | null {
  try {
    return readBlock(row);
  } catch {
    return null;
  }
}
