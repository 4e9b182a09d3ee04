/** Main's side of the media worker: started when first needed, gone when idle, replaced when it hangs. */
import { Worker } from 'node:worker_threads';
import { workerUrl } from '../worker-url.ts';
import type { JobAnswer, JobMessage, MediaJob, MediaJobResults } from './worker/jobs.ts';

export interface MediaThread {
  /** Rejects where the file cannot be read, or after a time no honest file needs. A job that runs beside such a one is run again. */
  run<Job extends MediaJob>(job: Job): Promise<MediaJobResults[Job['kind']]>;
  close(): Promise<void>;
}

export interface MediaThreadOptions {
  /** `media-worker` unless given. */
  worker?: URL;
  /** How long a job may take. */
  limitMs?: Record<MediaJob['kind'], number>;
}

const IDLE_MS = 30_000;
const LIMIT_MS = { measure: 30_000, peaks: 600_000 };
/** A hostile file can make the worker use any amount. */
const MAX_HEAP_MB = 512;

interface PendingJob {
  message: JobMessage;
  resolve: (result: never) => void;
  reject: (cause: Error) => void;
  limit?: NodeJS.Timeout;
}

export function createMediaThread(options: MediaThreadOptions = {}): MediaThread {
  const { limitMs = LIMIT_MS } = options;
  const running = new Map<number, PendingJob>();
  let queue: PendingJob[] = [];
  /** After a crash or a time-out: which of the running jobs caused it shows when each has the worker to itself. */
  let oneByOne = false;
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let nextId = 1;
  let closed = false;

  function startWorker(): Worker {
    const started = new Worker(
      options.worker ?? workerUrl('./worker/media-worker.ts', import.meta.url),
      {
        resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      },
    );
    started.on('message', settle);
    started.on('error', (cause) => crashed(started, new Error('The worker failed.', { cause })));
    started.on('exit', () => crashed(started, new Error('The worker ended.')));
    return started;
  }

  function startQueued(): void {
    while (queue.length > 0 && !(oneByOne && running.size > 0)) {
      const job = queue.shift();
      if (job) startJob(job);
    }
    if (running.size > 0) return;
    oneByOne = false;
    // Nothing to wait for: it must not hold up the process's end.
    worker?.unref();
    clearTimeout(idle);
    idle = setTimeout(() => void dropWorker(), IDLE_MS);
    idle.unref();
  }

  function startJob(job: PendingJob): void {
    const { id, job: work } = job.message;
    job.limit = setTimeout(timedOut, limitMs[work.kind]);
    running.set(id, job);
    worker ??= startWorker();
    worker.ref();
    worker.postMessage(job.message);
  }

  function settle(answer: JobAnswer): void {
    const job = take(answer.id);
    if (answer.ok) job?.resolve(answer.result as never);
    else job?.reject(new Error(answer.message));
    startQueued();
  }

  function take(id: number): PendingJob | undefined {
    const job = running.get(id);
    running.delete(id);
    clearTimeout(job?.limit);
    return job;
  }

  function takeAll(): PendingJob[] {
    return [...running.keys()].flatMap((id) => take(id) ?? []);
  }

  /** The worker may be stuck for good, and not with the job whose time was over first. */
  function timedOut(): void {
    void dropWorker();
    rejectOrRunAgain(new Error('The media worker took too long.'));
  }

  function crashed(ended: Worker, cause: Error): void {
    if (worker !== ended) return;
    worker = null;
    rejectOrRunAgain(cause);
  }

  /** The running jobs are without a worker: one alone is the cause, several are run one by one. */
  function rejectOrRunAgain(cause: Error): void {
    const [job, ...others] = takeAll();
    if (job && others.length > 0) {
      oneByOne = true;
      queue = [job, ...others, ...queue];
    } else job?.reject(cause);
    startQueued();
  }

  async function dropWorker(): Promise<void> {
    const dropped = worker;
    worker = null;
    await dropped?.terminate();
  }

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(stopped());
        clearTimeout(idle);
        queue.push({ message: { id: nextId, job }, resolve, reject });
        nextId += 1;
        startQueued();
      }),
    async close() {
      closed = true;
      clearTimeout(idle);
      const unfinished = [...takeAll(), ...queue];
      queue = [];
      for (const job of unfinished) job.reject(stopped());
      await dropWorker();
    },
  };
}

function stopped(): Error {
  return new Error('The media worker was stopped.');
}
