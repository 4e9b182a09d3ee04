/** Sends long documents to the thread that reads them. */
import { Worker } from 'node:worker_threads';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { getWorkerUrl } from '../base/worker-url.ts';
import type { LongDocument } from '../gateway/long-document.ts';
import type {
  Conversion,
  Converted,
  DocumentSteps,
  Settled,
  Settling,
  StepName,
  StepResponse,
} from './document-steps.ts';

export interface RunDocument extends LongDocument {
  /** The length of the text that was read. */
  readonly length: number;
  convert(how: Conversion): Promise<Converted>;
  /** Returns the text to record, and folds it into a view. */
  settle(given: Settling): Promise<Settled & { text: string }>;
  /** Returns the text that was received. */
  text(): Promise<string>;
  /** Frees the memory. */
  close(): void;
}

/** Methods of a document reject with a `UserFacingError` if the thread runs out of memory. */
export interface DocumentThread {
  open(given: DocumentSteps['open']['given']): RunDocument;
  close(): Promise<void>;
}

const IDLE_MS = 30_000;
/** The largest document needs less than half of this. */
const MAX_HEAP_MB = 2048;

interface Call {
  resolve(done: unknown): void;
  reject(cause: unknown): void;
}

/** A worker and its pending calls. */
interface Thread {
  worker: Worker;
  calls: Map<number, Call>;
  /** Why the worker ended; null while it runs. */
  end: unknown;
}

export function createDocumentThread(): DocumentThread {
  let thread: Thread | null = null;
  let idle: NodeJS.Timeout | undefined;
  let openCount = 0;
  let count = 0;

  function start(): Thread {
    const worker = new Worker(getWorkerUrl('./document-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const started: Thread = { worker, calls: new Map(), end: null };
    let cause: unknown = new Error('The document thread ended.');
    worker.on('message', ({ call, result }: StepResponse) => {
      const waiting = started.calls.get(call);
      started.calls.delete(call);
      if ('done' in result) waiting?.resolve(result.done);
      else waiting?.reject(new Error(result.failed));
    });
    worker.on('error', (error) => {
      cause = isOutOfMemory(error) ? new UserFacingError(tooMuchMemory) : error;
    });
    worker.on('exit', () => {
      if (thread === started) thread = null;
      started.end = cause;
      for (const { reject } of started.calls.values()) reject(cause);
      started.calls.clear();
    });
    return started;
  }

  function take(): Thread {
    clearTimeout(idle);
    openCount += 1;
    thread ??= start();
    thread.worker.ref();
    return thread;
  }

  function release(): void {
    openCount -= 1;
    if (openCount > 0) return;
    // Don't let an idle worker keep the process alive.
    thread?.worker.unref();
    idle = setTimeout(() => void end(), IDLE_MS).unref();
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = thread;
    thread = null;
    await ended?.worker.terminate();
  }

  return {
    open(given) {
      const used = take();
      const { worker, calls } = used;
      count += 1;
      const document = count;
      let length = 0;
      let isClosed = false;

      function post<Name extends StepName>(
        step: Name,
        input: DocumentSteps[Name]['given'],
        moved: ArrayBuffer[] = [],
      ): number {
        count += 1;
        worker.postMessage({ call: count, document, step, given: input }, moved);
        return count;
      }

      function call<Name extends StepName>(
        step: Name,
        input: DocumentSteps[Name]['given'],
      ): Promise<DocumentSteps[Name]['done']> {
        if (used.end !== null) return Promise.reject(used.end);
        return new Promise((resolve, reject) => {
          calls.set(post(step, input), { resolve: (done) => resolve(done as never), reject });
        });
      }

      /** Asks for a piece at a time, because receiving 30 MB at once can take over 50 ms. */
      async function readText(total: number): Promise<string> {
        let text = '';
        do text += await call('piece', { from: text.length });
        while (text.length < total);
        return text;
      }

      post('open', given);
      return {
        get length() {
          return length;
        },
        write(bytes) {
          const copy = new Uint8Array(bytes);
          post('write', copy, [copy.buffer]);
        },
        async read(maxLength) {
          length = await call('read', { maxLength });
        },
        convert: (how) => call('convert', how),
        async settle(settling) {
          const settled = await call('settle', settling);
          return { ...settled, text: await readText(settled.length) };
        },
        text: () => readText(length),
        inspect: (inspected) => call('inspect', inspected),
        close() {
          if (isClosed) return;
          isClosed = true;
          post('close', undefined);
          release();
        },
      };
    },
    close: end,
  };
}

function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

const tooMuchMemory = appError(
  'malformed-response',
  'The response needs too much memory.',
  'Request less data and retry.',
);
