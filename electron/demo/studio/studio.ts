/** The gateway's side of the studio: a thread for each job at a time, which waits a moment for the next one. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../worker-url.ts';
import type { StudioJob, StudioParts } from './worker/jobs.ts';

/** Threads without a job, each with what ends it: the next job finds there what it would load. */
const waiting = new Map<Worker, NodeJS.Timeout>();
const MOST_WAITING = 2;
const WAIT_MS = 30_000;

/**
 * The parts of a job, each as soon as it is made; throws where it fails. Whoever takes no more of them, or aborts
 * `signal`, ends its thread.
 */
export async function* runJob<Job extends StudioJob>(
  job: Job,
  signal: AbortSignal,
): AsyncGenerator<StudioParts[Job['kind']], void> {
  signal.throwIfAborted();
  const worker = takeThread();
  let isDone = false;
  try {
    const parts = on(worker, 'message', { signal, close: ['exit'] });
    worker.postMessage(job);
    for await (const [part] of parts) {
      isDone = part === null;
      if (isDone) return;
      yield part;
    }
    throw new Error(`The studio stopped in the middle of a ${job.kind}.`);
  } finally {
    if (isDone) keepThread(worker);
    else await worker.terminate();
  }
}

/** For a job that makes one thing. */
export async function runSingle<Job extends StudioJob>(
  job: Job,
  signal: AbortSignal,
): Promise<StudioParts[Job['kind']]> {
  let made: { part: StudioParts[Job['kind']] } | null = null;
  for await (const part of runJob(job, signal)) made ??= { part };
  if (made === null) throw new Error(`The studio made no ${job.kind}.`);
  return made.part;
}

function takeThread(): Worker {
  const [kept] = waiting;
  if (kept === undefined) return startThread();
  const [worker, ending] = kept;
  clearTimeout(ending);
  waiting.delete(worker);
  worker.ref();
  return worker;
}

function startThread(): Worker {
  const worker = new Worker(workerUrl('./worker/studio-worker.ts', import.meta.url));
  // Whoever waits for its parts is told; nobody else is meant.
  worker.on('error', () => undefined);
  worker.on('exit', () => leave(worker));
  return worker;
}

/** It keeps no process from ending. */
function keepThread(worker: Worker): void {
  if (waiting.size >= MOST_WAITING) {
    void worker.terminate();
    return;
  }
  worker.unref();
  const ending = setTimeout(() => {
    leave(worker);
    void worker.terminate();
  }, WAIT_MS);
  waiting.set(worker, ending.unref());
}

function leave(worker: Worker): void {
  clearTimeout(waiting.get(worker));
  waiting.delete(worker);
}
