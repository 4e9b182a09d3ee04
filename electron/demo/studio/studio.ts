/** The gateway's side of the studio: a thread for each job, gone with the job or its client. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../worker-url.ts';
import type { StudioJob, StudioParts } from './worker/jobs.ts';

/** The parts of a job, each as soon as it is made; throws where it fails. */
export async function* runJob<Job extends StudioJob>(
  job: Job,
  signal: AbortSignal,
): AsyncGenerator<StudioParts[Job['kind']], void> {
  signal.throwIfAborted();
  const worker = new Worker(workerUrl('./worker/studio-worker.ts', import.meta.url), {
    workerData: job,
  });
  try {
    for await (const [part] of on(worker, 'message', { signal, close: ['exit'] })) {
      if (part === null) return;
      yield part;
    }
    throw new Error(`The studio stopped in the middle of a ${job.kind}.`);
  } finally {
    await worker.terminate();
  }
}

/** For a job that makes one thing. */
export async function runSingle<Job extends StudioJob>(
  job: Job,
  signal: AbortSignal,
): Promise<StudioParts[Job['kind']]> {
  for await (const part of runJob(job, signal)) return part;
  throw new Error(`The studio made no ${job.kind}.`);
}
