/** Holds the journals of live runs in one folder, and syncs them in case the power fails. */
import * as fs from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createDelayed, systemTimer, type Timer } from '../base/timer.ts';
import { JOURNAL_FOLDER } from './file-names.ts';
import { type Journal, type JournalFiles, openJournal } from './journal.ts';
import { quarantineFile } from './quarantine-file.ts';

export interface Journals {
  /** Returns the journal that this process writes, or null. */
  find(runId: string): Journal | null;
  /** Lists this process's journals that may contain secrets, because masking them failed. */
  listUnmasked(): Journal[];
  /** Opens the run's journal, and creates it if needed; throws the system's error. */
  open(runId: string, encodeRun: () => string | null): Journal;
  /** Schedules a sync of the journal's new line within a second or two. */
  noteWritten(journal: Journal): void;
  /** Returns true if an earlier process left the run's journal, and it isn't packed yet. */
  isLeft(runId: string): boolean;
  /** Lists the runs whose journals an earlier process left, the shortest first. */
  listLeft(): string[];
  /**
   * Opens a journal that an earlier process left, or returns null if its run was deleted since;
   * throws the system's error.
   */
  openLeft(runId: string): Journal | null;
  /** Closes and deletes the run's journal; returns false if another program holds it. */
  remove(runId: string): boolean;
  /**
   * Renames a journal that can't be read, and deletes the oldest ones that were renamed before if
   * there are too many; throws the system's error.
   */
  setAside(runId: string): void;
  /** Deletes all journals that were set aside; never throws. */
  removeSetAside(): void;
  /** Resolves once the file's content is synced to the disk; never rejects. */
  sync(path: string): Promise<void>;
  /** Closes all journals and deletes those whose events are rows; call this after the ledger is closed. */
  close(): Promise<void>;
}

/** Run IDs are safe file names; any other name isn't a journal. */
const NAME = /^((?!.*-damaged-)[\w-]{1,64})\.ndjson$/;
const SET_ASIDE = /-damaged-([\dTZ-]+)\.ndjson$/;
/** The newest is always kept. */
const MAX_SET_ASIDE = 20;
const MAX_SET_ASIDE_BYTES = 1024 ** 3;
const SYNC_MS = 1000;

/** Creates the folder; throws the system's error. */
export function createJournals({
  home,
  now,
  timer = systemTimer,
  files = fs,
  syncFile = syncPath,
}: {
  home: string;
  now: () => number;
  timer?: Timer;
  files?: JournalFiles;
  syncFile?: (path: string) => Promise<void>;
}): Journals {
  const folder = join(home, JOURNAL_FOLDER);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const journals = new Map<string, Journal>();
  // A link could lead out of the folder, and opening a pipe would block.
  const left = new Set(
    fs
      .readdirSync(folder, { withFileTypes: true })
      .flatMap((entry) => (entry.isFile() ? (NAME.exec(entry.name)?.[1] ?? []) : [])),
  );
  const unsynced = new Set<string>();
  const nextSync = createDelayed(timer, syncAll);
  /** Only one file is synced at a time, because each sync keeps one of Node's few threads busy. */
  let syncs = Promise.resolve();
  /** The syncs that haven't begun, by path, which also serve those who ask later. */
  const nextSyncs = new Map<string, Promise<void>>();
  let isSyncing = false;

  const getPath = (runId: string) => join(folder, `${runId}.ndjson`);

  function sync(path: string): Promise<void> {
    const waiting = nextSyncs.get(path);
    if (waiting !== undefined) return waiting;
    syncs = syncs.then(() => {
      nextSyncs.delete(path);
      return syncFile(path);
    });
    nextSyncs.set(path, syncs);
    return syncs;
  }

  function syncAll(): void {
    isSyncing = true;
    const all = [...unsynced].map(sync);
    unsynced.clear();
    void Promise.all(all).then(() => {
      isSyncing = false;
      if (unsynced.size > 0) nextSync.start(SYNC_MS);
    });
  }

  function forget(runId: string): void {
    journals.get(runId)?.close();
    unsynced.delete(getPath(runId));
    left.delete(runId);
  }

  /** Returns false if another program holds the file. */
  function removeFile(path: string): boolean {
    try {
      files.rmSync(path, { force: true });
      return true;
    } catch {
      return false;
    }
  }

  function remove(runId: string): boolean {
    if (!journals.has(runId) && !left.has(runId)) return true;
    forget(runId);
    // The next start removes it.
    if (!removeFile(getPath(runId))) return false;
    journals.delete(runId);
    return true;
  }

  /** Returns the paths of journals that were set aside, the newest first. */
  function listSetAside(): string[] {
    const names = fs.readdirSync(folder);
    const getTime = (name: string) => SET_ASIDE.exec(name)?.[1] ?? '';
    return names
      .filter((name) => SET_ASIDE.test(name))
      .toSorted((a, b) => getTime(b).localeCompare(getTime(a)))
      .map((name) => join(folder, name));
  }

  return {
    find(runId) {
      const journal = journals.get(runId);
      return journal === undefined || journal.isLeft || journal.isClosed() ? null : journal;
    },
    listUnmasked: () =>
      [...journals.values()].filter((journal) => !journal.isClosed() && journal.hasUnwrittenCuts()),
    open(runId, encodeRun) {
      if (left.has(runId))
        throw Object.assign(new Error('It isn’t packed yet.'), { code: 'EBUSY' });
      const path = getPath(runId);
      const journal = openJournal(runId, path, { encodeRun, files });
      journals.set(runId, journal);
      void sync(folder);
      return journal;
    },
    noteWritten({ path }) {
      unsynced.add(path);
      if (!isSyncing) nextSync.start(SYNC_MS);
    },
    isLeft: (runId) => left.has(runId),
    listLeft() {
      const getSize = (runId: string) =>
        fs.statSync(getPath(runId), { throwIfNoEntry: false })?.size ?? 0;
      const sizes = new Map([...left].map((runId) => [runId, getSize(runId)]));
      return [...left].sort((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0));
    },
    openLeft(runId) {
      if (!left.has(runId)) return null;
      const journal = openJournal(runId, getPath(runId), { isLeft: true, files });
      journals.set(runId, journal);
      return journal;
    },
    remove,
    setAside(runId) {
      forget(runId);
      quarantineFile(getPath(runId), 'damaged', now(), []);
      journals.delete(runId);
      let leftBytes = MAX_SET_ASIDE_BYTES;
      for (const [at, path] of listSetAside().entries()) {
        leftBytes -= fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
        if (at >= MAX_SET_ASIDE || (at > 0 && leftBytes < 0)) removeFile(path);
      }
    },
    removeSetAside() {
      for (const path of listSetAside()) removeFile(path);
    },
    sync,
    async close() {
      nextSync.close();
      await syncs;
      for (const [runId, journal] of [...journals]) {
        if (journal.isPacked()) remove(runId);
        else journal.close();
      }
    },
  };
}

async function syncPath(path: string): Promise<void> {
  try {
    const file = await open(path, path.endsWith(JOURNAL_FOLDER) ? 'r' : 'r+');
    try {
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch {
    // Windows can't sync a folder, and some disks can't sync at all.
  }
}
