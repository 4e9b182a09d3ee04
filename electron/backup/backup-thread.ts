/** Runs one job of a backup in a new thread. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UserFacingError } from '../../shared/errors.ts';
import { workerUrl } from '../worker-url.ts';
import type { BackupAnswer, BackupJob } from './backup-worker.ts';

type Step<Kind extends BackupJob['kind']> = Exclude<BackupAnswer<Kind>, { kind: 'failed' }>;

/** Yields progress and finally the result; leaving the loop or aborting ends the thread. */
export async function* runBackupJob<Job extends BackupJob>(
  job: Job,
  signal: AbortSignal,
): AsyncGenerator<Step<Job['kind']>, void> {
  signal.throwIfAborted();
  const worker = new Worker(workerUrl('./backup-worker.ts', import.meta.url), { workerData: job });
  try {
    for await (const [message] of on(worker, 'message', { signal, close: ['exit'] })) {
      const answer: BackupAnswer<Job['kind']> = message;
      if (answer.kind === 'failed') throw new UserFacingError(answer.error);
      yield answer;
      if (answer.kind === 'done') return;
    }
    throw new Error('The backup’s thread ended.');
  } finally {
    await worker.terminate();
  }
}
