/** Main's side of the media worker: started when first needed, gone when idle. */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { JobAnswer, JobMessage, MediaJob, MediaJobResults } from './worker/jobs.ts';

export interface MediaThread {
  /** Rejects where the file cannot be read, or after a time no honest file needs. */
  run<Job extends MediaJob>(job: Job): Promise<MediaJobResults[Job['kind']]>;
  close(): Promise<void>;
}

const IDLE_MS = 30_000;
const LIMIT_MS = { measure: 30_000, peaks: 600_000 };
/** A hostile file can ask for any amount. */
const MAX_HEAP_MB = 512;

interface Waiting {
  resolve: (result: never) => void;
  reject: (cause: Error) => void;
  limit: NodeJS.Timeout;
}

export function createMediaThread(): MediaThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let nextId = 1;

  function start(): Worker {
    const started = new Worker(workerUrl(), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    started.on('message', settle);
    started.on('error', (cause) => endWith(started, new Error('The worker failed.', { cause })));
    started.on('exit', () => endWith(started, new Error('The worker ended.')));
    return started;
  }

  function settle(answer: JobAnswer): void {
    const job = take(answer.id);
    if (answer.ok) job?.resolve(answer.result as never);
    else job?.reject(new Error(answer.message));
    if (waiting.size > 0) return;
    // Nothing to wait for: it must not hold up the process's end.
    worker?.unref();
    idle = setTimeout(stop, IDLE_MS);
    idle.unref();
  }

  function take(id: number): Waiting | undefined {
    const job = waiting.get(id);
    waiting.delete(id);
    clearTimeout(job?.limit);
    return job;
  }

  function endWith(ended: Worker, cause: Error): void {
    if (worker !== ended) return;
    worker = null;
    void ended.terminate();
    for (const id of [...waiting.keys()]) take(id)?.reject(cause);
  }

  function stop(): void {
    if (worker !== null) endWith(worker, new Error('The media worker was stopped.'));
  }

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle);
        const id = nextId;
        nextId += 1;
        const limit = setTimeout(stop, LIMIT_MS[job.kind]);
        waiting.set(id, { resolve, reject, limit });
        worker ??= start();
        worker.ref();
        worker.postMessage({ id, job } satisfies JobMessage);
      }),
    async close() {
      clearTimeout(idle);
      stop();
    },
  };
}

/** Beside this file as source; in the build an entry of its own, while this code lies in some chunk. */
function workerUrl(): URL {
  const names = import.meta.url.endsWith('.ts')
    ? ['./worker/media-worker.ts']
    : ['./media-worker.js', '../media-worker.js'];
  const urls = names.map((name) => new URL(name, import.meta.url));
  const found = urls.find((url) => existsSync(url)) ?? urls[0];
  if (found === undefined) throw new Error('There is no media worker.');
  return found;
}
