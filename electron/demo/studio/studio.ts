/** The gateway's side of the studio: a thread for each job, gone with the job or its client. */
import { on } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { StudioJob, StudioParts } from './worker/jobs.ts';

/** The parts of a job, each as soon as it is made; throws where it fails. */
export async function* runJob<Job extends StudioJob>(
  job: Job,
  signal: AbortSignal,
): AsyncGenerator<StudioParts[Job['kind']], void> {
  signal.throwIfAborted();
  const worker = new Worker(workerUrl(), { workerData: job });
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

/** Beside this file as source; in the build an entry of its own, while this code lies in some chunk. */
function workerUrl(): URL {
  const names = import.meta.url.endsWith('.ts')
    ? ['./worker/studio-worker.ts']
    : ['./studio-worker.js', '../studio-worker.js'];
  const urls = names.map((name) => new URL(name, import.meta.url));
  const found = urls.find((url) => existsSync(url));
  if (found === undefined) throw new Error('There is no studio worker.');
  return found;
}
