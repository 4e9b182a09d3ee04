/** The gateway's side of the studio: each job has a thread to itself; one that has spoken stays for what is spoken next. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../worker-url.ts';
import type { StudioJob, StudioParts } from './worker/jobs.ts';

/** Idle threads that have the synthesizer loaded, which takes as long as a short sentence, each with what ends it. */
const idle = new Map<Worker, NodeJS.Timeout>();
const MAX_IDLE = 2;
const IDLE_MS = 30_000;

/**
 * The parts of a job, each as soon as it is made; throws where it fails. Whoever takes no more of them, or aborts
 * `signal`, ends its thread.
 */
export async function* runJob<Job extends StudioJob>(
  job: Job,
  signal: AbortSignal,
): AsyncGenerator<StudioParts[Job['kind']], void> {
  signal.throwIfAborted();
  const worker = (job.kind === 'speech' ? takeIdle() : null) ?? startThread();
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
    // What films and files have taken of memory goes with their thread.
    if (isDone && job.kind === 'speech') keepThread(worker);
    else await worker.terminate();
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

/** The last one that spoke; null if none is left. */
function takeIdle(): Worker | null {
  const [worker, ending] = [...idle].at(-1) ?? [];
  if (worker === undefined) return null;
  clearTimeout(ending);
  idle.delete(worker);
  worker.ref();
  return worker;
}

function startThread(): Worker {
  const worker = new Worker(workerUrl('./worker/studio-worker.ts', import.meta.url));
  // An error that nobody listens for would end the process; where a job runs, it is the job's.
  worker.on('error', () => undefined);
  worker.on('exit', () => forgetThread(worker));
  return worker;
}

/** It keeps no process from ending. */
function keepThread(worker: Worker): void {
  const hasExited = worker.threadId === -1;
  if (hasExited || idle.size >= MAX_IDLE) {
    void worker.terminate();
    return;
  }
  worker.unref();
  const ending = setTimeout(() => {
    forgetThread(worker);
    void worker.terminate();
  }, IDLE_MS);
  idle.set(worker, ending.unref());
}

function forgetThread(worker: Worker): void {
  clearTimeout(idle.get(worker));
  idle.delete(worker);
}
