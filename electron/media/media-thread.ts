/**
 * Runs each kind of media job in its own worker thread, so that a hung job doesn't block others.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { getWorkerUrl } from '../base/worker-url.ts';
import type { Measurement } from './measure-media.ts';

export type MediaJob =
  | { kind: 'measure'; path: string; type: string }
  | { kind: 'peaks'; path: string; type: string; peaksPath: string };

export interface MediaJobResults {
  measure: Measurement;
  /** `unsupported` means that only the page can decode the file. */
  peaks: 'kept' | 'unsupported';
}

export interface MediaThreadOptions {
  worker?: URL;
  limitMs?: Record<MediaJob['kind'], number>;
}

const IDLE_MS = 30_000;
const LIMIT_MS = { measure: 30_000, peaks: 600_000 };
/** Limits memory, because a malicious file could use any amount. */
const MAX_HEAP_MB = 512;

export interface MediaThread {
  /** Rejects if the job fails, takes too long or is stopped. */
  run<Job extends MediaJob>(job: Job): Promise<MediaJobResults[Job['kind']]>;
  /** Stops all jobs. */
  close(): Promise<void>;
}

export function createMediaThread(options: MediaThreadOptions = {}): MediaThread {
  const { limitMs = LIMIT_MS } = options;
  const closing = new AbortController();
  const url = options.worker ?? getWorkerUrl('./worker/media-worker.ts', import.meta.url);
  const queues = {
    measure: createQueue(url, limitMs.measure, closing.signal),
    peaks: createQueue(url, limitMs.peaks, closing.signal),
  };
  return {
    run: <Job extends MediaJob>(job: Job): Promise<MediaJobResults[Job['kind']]> =>
      queues[job.kind].run(job),
    async close(): Promise<void> {
      closing.abort(new Error('The media worker was stopped.'));
      await Promise.all([queues.measure.end(), queues.peaks.end()]);
    },
  };
}

/** Runs jobs one at a time. */
function createQueue(url: URL, limitMs: number, closing: AbortSignal) {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function startWorker(): Worker {
    const started = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    // Without a listener, an error in an idle worker would crash the process.
    started.on('error', () => undefined);
    return started;
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = worker;
    worker = null;
    await ended?.terminate();
  }

  async function runNow(job: MediaJob) {
    closing.throwIfAborted();
    clearTimeout(idle);
    worker ??= startWorker();
    worker.ref();
    const settled = new AbortController();
    const limit = AbortSignal.timeout(limitMs);
    const signal = AbortSignal.any([closing, limit, settled.signal]);
    try {
      const ended = once(worker, 'exit', { signal }).then(() => {
        throw new Error('The media worker ended.');
      });
      const answered = once(worker, 'message', { signal });
      worker.postMessage(job);
      const [result] = await Promise.race([answered, ended]);
      return result;
    } catch (cause) {
      void end();
      closing.throwIfAborted();
      throw limit.aborted ? new Error('The media worker took too long.') : cause;
    } finally {
      settled.abort();
      // Don't let an idle worker keep the process alive.
      worker?.unref();
      idle = setTimeout(() => void end(), IDLE_MS).unref();
    }
  }

  return {
    end,
    run(job: MediaJob) {
      const result = last.then(() => runNow(job));
      last = result.catch(() => undefined);
      return result;
    },
  };
}
