/** Does untrusted work on threads, each of which ends with its work or when it takes too long. */
import { Worker } from 'node:worker_threads';

/** More threads would slow the main process down. */
const MAX_AT_ONCE = 4;
const MAX_HEAP_MB = 128;

export interface ThreadWork {
  url: URL;
  data: unknown;
  /** From the start of the thread, which takes up to a second on a busy computer. */
  timeMs: number;
  signal: AbortSignal;
}

/** Why a thread gave no answer. */
export interface NoAnswer {
  reason: 'stopped' | 'late' | 'crashed';
  message: string;
}

export type Threads = ReturnType<typeof createThreads>;

export function createThreads() {
  const workers = new Set<Worker>();
  const waiting: (() => void)[] = [];
  let active = 0;

  async function enter(): Promise<void> {
    if (active >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else active += 1;
  }

  /** Hands the place to the next in line. */
  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) active -= 1;
    else next();
  }

  async function start<Answer>(
    { url, data, timeMs, signal }: ThreadWork,
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
    worker.once('message', (message) =>
      isAnswer(message) ? resolve(message) : crash('It sent no answer.'),
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
    /** Resolves to the thread's first message, or to the reason why it sent none. */
    async run<Answer>(
      work: ThreadWork,
      isAnswer: (message: unknown) => message is Answer,
    ): Promise<Answer | NoAnswer> {
      await enter();
      try {
        return work.signal.aborted ? stopped : await start(work, isAnswer);
      } finally {
        leave();
      }
    },

    async close(): Promise<void> {
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}

const stopped: NoAnswer = { reason: 'stopped', message: 'Stopped.' };
