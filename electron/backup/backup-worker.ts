/** Copies and unpacks backups in a thread, which ends after one job. */
import { parentPort, workerData } from 'node:worker_threads';
import type { DataContents } from '../../shared/contract/backups.ts';
import { type AppError, UserFacingError } from '../../shared/errors.ts';
import { isFileError, isStorageError, toStorageError } from '../storage/storage-error.ts';
import type { BackupFile } from './backup-manifest.ts';
import { type SnapshotJob, takeSnapshot } from './take-snapshot.ts';
import { type UnpackJob, unpackBackup } from './unpack-backup.ts';

export type BackupJob = SnapshotJob | UnpackJob;

export interface BackupResults {
  snapshot: BackupFile[];
  unpack: DataContents;
}

export type BackupWorkerResponse<Kind extends BackupJob['kind']> =
  | { kind: 'progress'; doneBytes: number; totalBytes: number }
  | { kind: 'done'; result: BackupResults[Kind] }
  | { kind: 'failed'; error: AppError };

const PROGRESS_MS = 100;

const job: BackupJob = workerData;
let shownAt = 0;

function onProgress(doneBytes: number, totalBytes: number): void {
  if (performance.now() - shownAt < PROGRESS_MS) return;
  shownAt = performance.now();
  send({ kind: 'progress', doneBytes, totalBytes });
}

function send(answer: BackupWorkerResponse<BackupJob['kind']>): void {
  parentPort?.postMessage(answer);
}

function run(): BackupResults[BackupJob['kind']] {
  return job.kind === 'snapshot' ? takeSnapshot(job, onProgress) : unpackBackup(job, onProgress);
}

try {
  send({ kind: 'done', result: run() });
} catch (cause) {
  const what = job.kind === 'snapshot' ? 'No backup was made' : 'The backup couldn’t be unpacked';
  if (cause instanceof UserFacingError) send({ kind: 'failed', error: cause.error });
  else if (isStorageError(cause) || isFileError(cause)) {
    send({ kind: 'failed', error: toStorageError(cause, what) });
  } else throw cause;
}
