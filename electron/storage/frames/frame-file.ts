/** Stores stream frames in a file next to the ledger, with one row per flush. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  inTransaction,
  iterate,
  migrate,
  passesQuickCheck,
  type SchemaVersions,
} from '../sqlite-file.ts';
import { isCorruption } from '../storage-error.ts';
import {
  eventKey,
  type FrameBlock,
  type FrameEvent,
  getFrames,
  getKeys,
  getSeq,
  unpackBlock,
} from './frame-block.ts';

/** Uses small pages, because a write of a few frames changes only one page. */
const PAGE_BYTES = 512;

const schema = `
  -- A block of frames; key is eventKey(run, number of the first frame). Packed blocks are joined ones.
  CREATE TABLE frames (
    key INTEGER PRIMARY KEY,
    count INTEGER NOT NULL,
    exchange INTEGER NOT NULL,
    packed INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  -- Runs with blocks that aren't packed yet, and the dictionary to read those with.
  CREATE TABLE unpacked (run INTEGER PRIMARY KEY, dictionary BLOB) STRICT;
  CREATE TABLE belongs_to (ledger TEXT NOT NULL, closed INTEGER NOT NULL) STRICT;
`;

/** Version 1 was never released. */
const versions: SchemaVersions = { what: 'frames', base: schema, baseVersion: 2, migrations: [] };

/** Selects the columns that `readBlock` needs; `:run` is the run's row in the ledger. */
export const BLOCK_COLUMNS = `key, exchange, body,
  iif(packed, NULL, (SELECT dictionary FROM unpacked WHERE run = :run)) AS dictionary`;

export function readBlock({
  key,
  exchange,
  body,
  dictionary,
}: Record<string, unknown>): FrameBlock {
  if (!(body instanceof Uint8Array)) throw new TypeError('The block has no bytes.');
  return unpackBlock({
    seq: getSeq(Number(key)),
    exchange: Number(exchange),
    body,
    dictionary: dictionary instanceof Uint8Array ? dictionary : null,
  });
}

/**
 * Deletes frames of runs after `lastRun`, whose row numbers may be reused after a power failure.
 */
export function openFrameFile(
  path: string,
  ledgerId: string,
  lastRun = Number.POSITIVE_INFINITY,
): DatabaseSync {
  const db = connectFrameFile(path);
  try {
    prepare(db, ledgerId);
    if (db.prepare('SELECT closed FROM belongs_to').get()?.closed === 0) check(db);
    db.exec('UPDATE belongs_to SET closed = 0');
    if (Number.isFinite(lastRun)) dropLostRuns(db, lastRun);
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

function dropLostRuns(db: DatabaseSync, lastRun: number): void {
  inTransaction(db, () => {
    db.prepare('DELETE FROM frames WHERE key >= ?').run(eventKey(lastRun + 1, 0));
    db.prepare('DELETE FROM unpacked WHERE run > ?').run(lastRun);
  });
}

/** Marks the file as cleanly closed, so that the next start skips the check. */
export function closeFrameFile(db: DatabaseSync): void {
  try {
    db.exec('UPDATE belongs_to SET closed = 1');
  } catch {
    // If the disk is full or missing, the next start checks the file.
  }
  db.close();
}

export function connectFrameFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 1000 });
  try {
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 16777216`);
    return db;
  } catch (cause) {
    // Windows can't rename an open file.
    db.close();
    throw cause;
  }
}

export class CorruptFramesError extends Error {}

function check(db: DatabaseSync): void {
  if (!passesQuickCheck(db)) return;
  const finding = String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check);
  if (finding !== 'ok') throw new CorruptFramesError(finding);
}

/** Thrown if the frames belong to another ledger, whose runs have the same row numbers. */
export class MismatchedFramesError extends Error {}

function prepare(db: DatabaseSync, ledgerId: string): void {
  migrate(db, versions);
  db.prepare('INSERT INTO belongs_to SELECT ?, 1 WHERE NOT EXISTS (SELECT 1 FROM belongs_to)').run(
    ledgerId,
  );
  if (db.prepare('SELECT ledger FROM belongs_to').get()?.ledger !== ledgerId) {
    throw new MismatchedFramesError('The frames belong to another ledger.');
  }
}

export interface FrameFile {
  sql(text: string): StatementSync;
}

/** Starts with the block that contains the frame after `:behind`. */
const BLOCKS = `SELECT ${BLOCK_COLUMNS} FROM frames
  WHERE key BETWEEN coalesce(
      (SELECT max(key) FROM frames WHERE key BETWEEN :first AND :behind), :first) AND :last
    AND key + count > :behind + 1
    AND (:exchange IS NULL OR exchange = :exchange)
  ORDER BY key`;

/** Yields the frames after number `after` in order; `run` is the run's row in the ledger. */
export function* readFrames(
  file: FrameFile,
  run: number,
  { after, exchange = null }: { after: number; exchange?: number | null },
  onUnreadable: () => void,
): Generator<FrameEvent> {
  const [first, last] = getKeys(run);
  const filter = { run, first, last, behind: eventKey(run, after), exchange };
  let seen = after;
  for (const row of takeIntact(() => iterate(file.sql(BLOCKS), filter), onUnreadable)) {
    let frames: FrameEvent[] = [];
    try {
      frames = getFrames(readBlock(row));
    } catch {
      onUnreadable();
    }
    for (const frame of frames) {
      // A writer that crashed before confirming may have written some frames twice.
      if (frame.seq <= seen) continue;
      yield frame;
      seen = frame.seq;
    }
  }
}

export function readLastFrame(file: FrameFile, run: number, onUnreadable: () => void): number {
  try {
    const last = file
      .sql('SELECT key, count FROM frames WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1')
      .get(...getKeys(run));
    return last === undefined ? 0 : getSeq(Number(last.key)) + Number(last.count) - 1;
  } catch (cause) {
    if (!isCorruption(cause)) throw cause;
    onUnreadable();
    return 0;
  }
}

function* takeIntact<Row>(rows: () => Iterable<Row>, onDamage: () => void): Generator<Row> {
  try {
    yield* rows();
  } catch (cause) {
    if (!isCorruption(cause)) throw cause;
    onDamage();
  }
}
