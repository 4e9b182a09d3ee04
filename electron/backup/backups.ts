/** Backs up all data except keys to one file, and prepares restores from such files. */
import { randomBytes } from 'node:crypto';
import { on } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BackupStep, CheckStep } from '../../shared/contract/backups.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { getWorkerUrl } from '../base/worker-url.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { ByteSource } from '../media/routes/byte-stream.ts';
import type { FileDownload } from '../media/routes/media-routes.ts';
import type { Database } from '../storage/database-access.ts';
import { toStorageError } from '../storage/storage-error.ts';
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupFile,
  type Manifest,
  readManifest,
} from './backup-manifest.ts';
import type { BackupJob, BackupWorkerResponse } from './backup-worker.ts';
import { countContents } from './count-contents.ts';
import { discardPath } from './discard.ts';
import {
  getBackupFolder,
  getReadyFolder,
  getRestoreFolder,
  readWaiting,
} from './restore-folders.ts';
import { type BackupContent, measureBackup, streamBackup } from './stream-backup.ts';
import { syncFolder } from './verified-files.ts';

export interface BackupsOptions {
  db: Database;
  home: string;
  inMemory: boolean;
  version: string;
  media: Pick<MediaStore, 'takeUpload'>;
  /**
   * Masks secrets that arrived split across chunks so far; throws a `UserFacingError` if the disk
   * refuses.
   */
  cutSecrets: () => Promise<void>;
  flush: () => void;
  /** Keeps events from moving between files until the returned function is called. */
  holdPacking: () => () => void;
  countUnfinished: () => number;
  /**
   * True if the host calls `settleDownload`. Electron reads a download to its end while the user
   * still chooses where to save it.
   */
  settlesDownloads: boolean;
  /** Called when a restore is scheduled for the next start, and when it is canceled. */
  onWaiting: () => void;
  now: () => number;
}

export type DownloadOutcome = 'saved' | 'canceled' | 'failed';

/** How often the page receives progress of its download. */
const PROGRESS_MS = 200;

/**
 * Methods throw a `UserFacingError` if the disk fails; `create` and `check` also do if the data
 * folder isn't writable.
 */
export interface Backups {
  /**
   * Yields `saved` once the whole file has been read and the host has saved it; throws if the reader
   * stops early. Ends without it if the user chose not to save the file.
   */
  create(signal?: AbortSignal): AsyncGenerator<BackupStep, void>;
  /** Returns null if the backup doesn't exist or was downloaded before. */
  takeDownload(id: string): FileDownload | null;
  /**
   * Records how a download ended; returns false if no page knows of it: the ID isn't that of a
   * backup, or the page has closed.
   */
  settleDownload(id: string, outcome: DownloadOutcome): boolean;
  /** Lets downloads that have started continue, although the page is closing. */
  leaveDownloads(): void;
  /** Unpacks an uploaded backup, always deletes the upload, and yields what it contains. */
  check(uploadId: string, signal?: AbortSignal): AsyncGenerator<CheckStep, void>;
  /**
   * Moves the checked backup to the folder that the next start restores; throws a `UserFacingError`
   * if requests are in progress.
   */
  restore(id: string): void;
  /** Deletes the checked backup and cancels a scheduled restore. */
  discard(): void;
  /**
   * Returns the creation time, in Unix milliseconds, of the backup that the next start restores, or
   * null if there is none.
   */
  waiting(): { createdAt: number } | null;
}

export function createBackups(options: BackupsOptions): Backups {
  const { db, home, media, now } = options;
  const downloads = new Map<string, FileDownload>();
  const readings = new Map<string, Reading>();
  /** The IDs of backups that the user canceled while their file was arriving. */
  const canceled = new Set<string>();
  let checked: { id: string; folder: string } | null = null;

  function requireFolder(): void {
    if (options.inMemory) throw new UserFacingError(notKept);
  }

  function makeFolder(parent: string, what: string): string {
    try {
      const folder = join(parent, createId());
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    } catch (cause) {
      throw new UserFacingError(toStorageError(cause, what));
    }
  }

  function forgetChecked(): void {
    if (checked !== null) discardPath(home, checked.folder);
    checked = null;
  }

  return {
    async *create(given?: AbortSignal): AsyncGenerator<BackupStep, void> {
      requireFolder();
      given?.throwIfAborted();
      const stop = new AbortController();
      const { signal } = stop;
      const folder = makeFolder(getBackupFolder(home), 'No backup was made');
      const id = createId();
      given?.addEventListener('abort', () => {
        if (readings.get(id)?.isLeft !== true) stop.abort(given.reason);
      });
      try {
        yield { stage: 'copying', doneBytes: 0, totalBytes: 0 };
        const createdAt = now();
        await options.cutSecrets();
        options.flush();
        let files: BackupFile[] = [];
        const release = options.holdPacking();
        try {
          for await (const step of runBackupJob({ kind: 'snapshot', home, folder }, signal)) {
            if (step.kind === 'done') files = step.result;
            else yield { ...pickBytes(step), stage: 'copying' };
          }
        } finally {
          release();
        }
        const manifest = createManifest(options.version, createdAt, files);
        const content: BackupContent = { manifest, folder, mediaFolder: join(home, 'media') };
        const name = nameBackup(createdAt);
        const totalBytes = measureBackup(content);
        const reading = followReading(content, options.settlesDownloads, signal);
        readings.set(id, reading);
        downloads.set(id, { name, sizeBytes: totalBytes, source: reading.source });
        yield { stage: 'ready', id, name, totalBytes };
        for (;;) {
          await reading.waitForChange(PROGRESS_MS);
          signal.throwIfAborted();
          if (reading.isLeft) return;
          const outcome = reading.outcome();
          if (outcome === 'failed') throw new UserFacingError(notReceived);
          if (outcome === 'canceled') return;
          yield { stage: 'saving', doneBytes: reading.doneBytes(), totalBytes };
          if (outcome === null) continue;
          yield { stage: 'saved' };
          return;
        }
      } finally {
        const reading = readings.get(id);
        const isArriving = !downloads.delete(id) && reading?.outcome() === null;
        if (isArriving && reading.isLeft) await reading.ended;
        else if (isArriving && options.settlesDownloads) canceled.add(id);
        stop.abort();
        readings.delete(id);
        discardPath(home, folder);
      }
    },

    takeDownload(id: string): FileDownload | null {
      const download = downloads.get(id) ?? null;
      downloads.delete(id);
      return download;
    },

    settleDownload(id: string, outcome: DownloadOutcome): boolean {
      const reading = readings.get(id);
      reading?.settle(outcome);
      return canceled.delete(id) || reading?.isLeft === false;
    },

    leaveDownloads(): void {
      for (const [id, reading] of readings) reading.isLeft ||= !downloads.has(id);
    },

    async *check(uploadId: string, given?: AbortSignal): AsyncGenerator<CheckStep, void> {
      requireFolder();
      const signal = given ?? new AbortController().signal;
      const { path, discard } = media.takeUpload(uploadId);
      try {
        const folder = makeFolder(getRestoreFolder(home), 'The backup couldn’t be unpacked');
        let isKept = false;
        try {
          yield { stage: 'checking', doneBytes: 0, totalBytes: 0 };
          const { manifest, nextAt } = await readManifest(path);
          const job = { kind: 'unpack' as const, path, manifest, nextAt, folder };
          for await (const step of runBackupJob(job, signal)) {
            if (step.kind === 'progress') {
              yield { ...pickBytes(step), stage: 'checking' };
              continue;
            }
            const contents = step.result;
            const { createdAt, appVersion } = manifest;
            // Another check may have ended in the meantime.
            forgetChecked();
            checked = { id: createId(), folder };
            isKept = true;
            const replaced = countContents(db.sql);
            yield {
              stage: 'checked',
              backup: { id: checked.id, createdAt, appVersion, contents, replaced },
            };
          }
        } finally {
          if (!isKept) discardPath(home, folder);
        }
      } finally {
        await discard();
      }
    },

    restore(id: string): void {
      if (checked?.id !== id) throw new UserFacingError(notChecked);
      const running = options.countUnfinished();
      if (running > 0) throw new UserFacingError(createRunningError(running));
      try {
        discardPath(home, getReadyFolder(home));
        renameSync(checked.folder, getReadyFolder(home));
        syncFolder(getRestoreFolder(home));
      } catch (cause) {
        throw new UserFacingError(toStorageError(cause, 'The backup couldn’t be restored'));
      }
      checked = null;
      options.onWaiting();
    },

    discard(): void {
      if (options.inMemory) return;
      try {
        forgetChecked();
        discardPath(home, getReadyFolder(home));
      } catch (cause) {
        throw new UserFacingError(toStorageError(cause, 'The restore couldn’t be canceled'));
      }
      options.onWaiting();
    },

    waiting: () => (options.inMemory ? null : readWaiting(home)),
  };
}

const createId = () => randomBytes(16).toString('base64url');

function nameBackup(atMs: number): string {
  const localMs = atMs - new Date(atMs).getTimezoneOffset() * 60_000;
  return `gatehouse-${new Date(localMs).toISOString().slice(0, 16).replace(/[T:]/g, '-')}.tar`;
}

function createManifest(appVersion: string, createdAt: number, files: BackupFile[]): Manifest {
  return { format: BACKUP_FORMAT, version: BACKUP_VERSION, appVersion, createdAt, files };
}

function pickBytes({ doneBytes, totalBytes }: { doneBytes: number; totalBytes: number }) {
  return { doneBytes, totalBytes };
}

interface Reading {
  source: ByteSource;
  /** True once the page that follows the download has closed. */
  isLeft: boolean;
  /** Resolves when the outcome is known. */
  ended: Promise<void>;
  /** Returns null until the download has ended. */
  outcome(): DownloadOutcome | null;
  /** Sets the outcome, unless it is known already. */
  settle(as: DownloadOutcome): void;
  /** Returns the number of bytes that the reader has received. */
  doneBytes(): number;
  /** Resolves after `maxMs`, or earlier if the download ends. */
  waitForChange(maxMs: number): Promise<void>;
}

/**
 * Counts the bytes of a backup that its reader has received, and records how the download ended.
 */
function followReading(
  content: BackupContent,
  isSettledByHost: boolean,
  signal: AbortSignal,
): Reading {
  const chunks = streamBackup(content);
  let outcome: DownloadOutcome | null = null;
  let doneBytes = 0;
  let wake = () => {};
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  function settle(as: DownloadOutcome): void {
    outcome ??= as;
    end();
    wake();
  }

  const source: ByteSource = {
    async next() {
      signal.throwIfAborted();
      const { done, value } = await chunks.next();
      if (done === true) {
        if (!isSettledByHost) settle('saved');
        return null;
      }
      doneBytes += value.length;
      return value;
    },
    close() {
      if (!isSettledByHost) settle('failed');
      void chunks.return().catch(() => undefined);
    },
  };

  return {
    source,
    isLeft: false,
    ended,
    outcome: () => outcome,
    settle,
    doneBytes: () => doneBytes,
    waitForChange: (maxMs) =>
      new Promise((resolve) => {
        const timeout = setTimeout(resolve, maxMs);
        wake = () => {
          clearTimeout(timeout);
          resolve();
        };
      }),
  };
}

const notKept = appError(
  'file',
  'The data folder isn’t writable, so there is nothing to save or replace.',
  'Make the data folder writable, then restart Gatehouse.',
);
const notReceived = appError(
  'file',
  'The backup wasn’t saved completely.',
  'Check that the disk you save to has enough space, then try again.',
);
const notChecked = appError(
  'not-found',
  'This backup is no longer ready.',
  'Nothing was changed. Choose the file again.',
);

function createRunningError(count: number) {
  return appError(
    'invalid-request',
    count === 1 ? 'A request is in progress.' : `${count} requests are in progress.`,
    'Nothing was changed. Stop them or wait for them, then restore.',
  );
}

type Step<Kind extends BackupJob['kind']> = Exclude<BackupWorkerResponse<Kind>, { kind: 'failed' }>;

/** Yields progress and finally the result; leaving the loop or aborting ends the thread. */
async function* runBackupJob<Job extends BackupJob>(
  job: Job,
  signal: AbortSignal,
): AsyncGenerator<Step<Job['kind']>, void> {
  signal.throwIfAborted();
  const worker = new Worker(getWorkerUrl('./backup-worker.ts', import.meta.url), {
    workerData: job,
  });
  try {
    for await (const [message] of on(worker, 'message', { signal, close: ['exit'] })) {
      const answer: BackupWorkerResponse<Job['kind']> = message;
      if (answer.kind === 'failed') throw new UserFacingError(answer.error);
      yield answer;
      if (answer.kind === 'done') return;
    }
    throw new Error('The backup’s thread ended.');
  } finally {
    await worker.terminate();
  }
}
