/** Writes frames on a thread, or inline if frames are kept in memory. */
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import { getWorkerUrl } from '../../worker-url.ts';
import { deserializeError, toError } from '../storage-error.ts';
import type { FrameBatch, FrameSink } from './frame-sink.ts';
import type { WriterAnswer, WriterJob, WriterMessage } from './frame-worker.ts';

export interface FrameWriter {
  /**
   * Writes in call order; calls `done` once, with null, or with the error if nothing was written.
   */
  write(batches: readonly FrameBatch[], done: (cause: unknown) => void): void;
  remove(run: number, done: (cause: unknown) => void): void;
  pack(run: number): void;
  /** Blocks for up to a second until every write has finished and called `done`. */
  settle(): void;
  close(): Promise<void>;
}

export function writeInline(sink: FrameSink): FrameWriter {
  return {
    write: (batches, done) => done(toError(() => sink.write(batches))),
    remove(run, done) {
      done(
        toError(() => {
          while (sink.removeSome(run));
        }),
      );
    },
    pack(run) {
      toError(() => {
        while (sink.packSome(run));
      });
    },
    settle() {},
    close: async () => undefined,
  };
}

const SETTLE_MS = 1000;

interface WriterThread {
  worker: Worker;
  /** Lets the main thread read responses synchronously while it is blocked. */
  answers: MessagePort;
  handled: Int32Array;
  sent: number;
}

export function writeOnThread(path: string): FrameWriter {
  const waiting = new Map<number, (cause: unknown) => void>();
  let lastId = 0;
  // Start early, so that the thread is ready for the first frames.
  let thread: WriterThread | null = start();

  function start(): WriterThread {
    const { port1: answers, port2 } = new MessageChannel();
    const handled = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(getWorkerUrl('./frame-worker.ts', import.meta.url), {
      workerData: { path, handled, answers: port2 },
      transferList: [port2],
    });
    const started: WriterThread = { worker, answers, handled, sent: 0 };
    answers.on('message', hear);
    answers.unref();
    worker.unref();
    worker.on('error', (cause) => handleThreadEnd(started, cause));
    worker.on('exit', () => handleThreadEnd(started, new Error('The writer ended.')));
    return started;
  }

  function hear({ id, problem }: WriterAnswer): void {
    const done = waiting.get(id);
    waiting.delete(id);
    done?.(problem === null ? null : deserializeError(problem));
    if (waiting.size === 0) thread?.answers.unref();
  }

  /** Fails the pending jobs of a crashed thread; the next message starts a new thread. */
  function handleThreadEnd(which: WriterThread, cause: unknown): void {
    if (thread !== which) return;
    thread = null;
    which.answers.close();
    const all = [...waiting.values()];
    waiting.clear();
    for (const done of all) done(cause);
  }

  function post(job: WriterJob, done: (cause: unknown) => void): void {
    lastId += 1;
    waiting.set(lastId, done);
    thread ??= start();
    thread.answers.ref();
    const message: WriterMessage = { id: lastId, job };
    thread.worker.postMessage(message);
    thread.sent += 1;
  }

  return {
    write: (batches, done) => post({ kind: 'write', batches }, done),
    remove: (run, done) => post({ kind: 'remove', run }, done),
    pack: (run) => post({ kind: 'pack', run }, () => undefined),
    settle() {
      const until = performance.now() + SETTLE_MS;
      const settling = thread;
      if (settling === null) return;
      for (let seen = 0; ; ) {
        seen = Atomics.load(settling.handled, 0);
        const left = until - performance.now();
        if (seen >= settling.sent || left <= 0) break;
        Atomics.wait(settling.handled, 0, seen, left);
      }
      for (let next = receiveMessageOnPort(settling.answers); next; ) {
        hear(next.message);
        next = receiveMessageOnPort(settling.answers);
      }
    },
    async close() {
      if (thread === null) return;
      await new Promise<void>((resolve) => post({ kind: 'end' }, () => resolve()));
      const last: WriterThread | null = thread;
      await last?.worker.terminate();
    },
  };
}
