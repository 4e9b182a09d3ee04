/** Runs untrusted code in worker threads. A thread ends when its work is done or times out. */
import { Worker } from 'node:worker_threads';

/** More threads would slow the main process down. */
const MAX_AT_ONCE = 4;
const MAX_HEAP_MB = 128;

export interface ThreadWork {
  url: URL;
  data: unknown;
  /** Counted from the start of the thread, which takes up to a second on a busy computer. */
  timeMs: number;
  signal: AbortSignal;
  /** Receives messages that the thread sends before its answer. */
  onMessage?: (message: unknown) => void;
}

/** The reason that a thread sent no answer. */
export interface NoAnswer {
  reason: 'stopped' | 'late' | 'crashed';
  message: string;
}

export interface Threads {
  /** Resolves to the thread's answer, or to the reason for its absence. */
  run<Answer>(
    work: ThreadWork,
    isAnswer: (message: unknown) => message is Answer,
  ): Promise<Answer | NoAnswer>;
  /** Stops all work. */
  close(): Promise<void>;
}

export function createThreads(): Threads {
  const workers = new Set<Worker>();
  const closing = new AbortController();
  /** Resolves each waiting caller: true starts its work, false means that it was stopped. */
  const waiting = new Set<(hasPlace: boolean) => void>();
  let active = 0;

  /** Resolves to false if the work is stopped before it can start. */
  async function enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (active < MAX_AT_ONCE) {
      active += 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const stop = () => resolve(!waiting.delete(resolve));
    waiting.add(resolve);
    signal.addEventListener('abort', stop);
    return promise.finally(() => signal.removeEventListener('abort', stop));
  }

  /** Lets the next in line start. */
  function leave(): void {
    const [next] = waiting;
    if (next === undefined) active -= 1;
    else {
      waiting.delete(next);
      next(true);
    }
  }

  async function start<Answer>(
    { url, data, timeMs, signal, onMessage }: ThreadWork,
    isAnswer: (message: unknown) => message is Answer,
  ): Promise<Answer | NoAnswer> {
    const worker = new Worker(url, {
      workerData: data,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    workers.add(worker);
    const { promise, resolve } = Promise.withResolvers<Answer | NoAnswer>();
    const stop = () => resolve(stopped);
    const timer = setTimeout(() => resolve({ reason: 'late', message: 'Too slow.' }), timeMs);
    const crash = (message: string) => resolve({ reason: 'crashed', message });
    signal.addEventListener('abort', stop);
    worker.on('message', (message) =>
      isAnswer(message) ? resolve(message) : onMessage?.(message),
    );
    worker.once('error', ({ message }) => crash(message));
    worker.once('exit', () => crash('The thread ended.'));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      workers.delete(worker);
      await worker.terminate();
    }
  }

  return {
    async run<Answer>(
      work: ThreadWork,
      isAnswer: (message: unknown) => message is Answer,
    ): Promise<Answer | NoAnswer> {
      const signal = AbortSignal.any([work.signal, closing.signal]);
      if (!(await enter(signal))) return stopped;
      try {
        return signal.aborted ? stopped : await start({ ...work, signal }, isAnswer);
      } finally {
        leave();
      }
    },

    async close(): Promise<void> {
      closing.abort();
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}

const stopped: NoAnswer = { reason: 'stopped', message: 'Stopped.' };
