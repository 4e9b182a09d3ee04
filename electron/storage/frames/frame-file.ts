/** The file with the frames of all streams, beside the ledger: what arrived between two flushes is one row. */
import { DatabaseSync } from 'node:sqlite';
import { UserFacingError } from '../../../shared/errors.ts';
import { eventKey, seqOfKey } from '../event-key.ts';
import { inTransaction, newerVersionError, passesQuickCheck } from '../sqlite-file.ts';
import { type FrameBlock, unpackBlock } from './frame-block.ts';

const SCHEMA = 2;

/** A write of a few frames touches one page: at most so much goes to the disk for it. */
const PAGE_BYTES = 512;

/**
 * `run` is the run's `row` in the ledger. A block holds `count` frames of one exchange from `seq` on; packed ones
 * are as long as they get. Its `key` is `eventKey(run, seq)`.
 * `unpacked` has the runs with blocks that are not packed, and the dictionary that those are read with.
 */
const schema = `
  CREATE TABLE frames (
    key INTEGER PRIMARY KEY,
    count INTEGER NOT NULL,
    exchange INTEGER NOT NULL,
    packed INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE TABLE unpacked (run INTEGER PRIMARY KEY, dictionary BLOB) STRICT;
  CREATE TABLE belongs_to (ledger TEXT NOT NULL, closed INTEGER NOT NULL) STRICT;
`;

/** The columns of a block, of which `row` makes a `StoredBlock`; `:run` is its run. */
export const BLOCK_COLUMNS = `key, exchange, body,
  iif(packed, NULL, (SELECT dictionary FROM unpacked WHERE run = :run)) AS dictionary`;

/** Throws where it cannot be read. */
export function readBlock({
  key,
  exchange,
  body,
  dictionary,
}: Record<string, unknown>): FrameBlock {
  if (!(body instanceof Uint8Array)) throw new TypeError('The block has no bytes.');
  return unpackBlock({
    seq: seqOfKey(Number(key)),
    exchange: Number(exchange),
    body,
    dictionary: dictionary instanceof Uint8Array ? dictionary : null,
  });
}

/**
 * Creates or opens it. `path` may be `:memory:`. `lastRun` is the ledger's newest: after a power cut the disk may have
 * frames of one that the ledger has lost, and whose number the next run gets; they are dropped. Throws where it is
 * damaged, belongs to another ledger or a newer Gatehouse wrote it; trouble with the disk is thrown as SQLite
 * reports it.
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

/** Closes it; the next start need not check it. */
export function closeFrameFile(db: DatabaseSync): void {
  try {
    db.exec('UPDATE belongs_to SET closed = 1');
  } catch {
    // A disk that is full or gone: then it is checked.
  }
  db.close();
}

/** A further connection to a file that is open already. */
export function connectFrameFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 1000 });
  try {
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 16777216`);
    return db;
  } catch (cause) {
    // A file that is open cannot be renamed everywhere.
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

/** Not the frames of this ledger's runs: their numbers would be taken for those of others. */
export class MismatchedFramesError extends Error {}

function prepare(db: DatabaseSync, ledgerId: string): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > SCHEMA) throw new UserFacingError(newerVersionError('frames', version, SCHEMA));
  if (version > 0 && version < SCHEMA) {
    throw new MismatchedFramesError(`Schema ${version} is not known.`);
  }
  inTransaction(db, () => {
    if (version === 0) {
      db.exec(schema);
      db.prepare('INSERT INTO belongs_to (ledger, closed) VALUES (?, 1)').run(ledgerId);
      db.exec(`PRAGMA user_version = ${SCHEMA}`);
    }
    if (db.prepare('SELECT ledger FROM belongs_to').get()?.ledger !== ledgerId) {
      throw new MismatchedFramesError('The frames belong to another ledger.');
    }
  });
}
