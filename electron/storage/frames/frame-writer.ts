/** Hands frames to their file: on a thread of its own, or at once where nothing outlives the process. */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { toParcel } from './frame-parcel.ts';
import type { FrameBatch, FrameSink } from './frame-sink.ts';
import type { WriterAnswer, WriterJob, WriterMessage } from './frame-worker.ts';

export interface FrameWriter {
  /** In the order of the calls. `done` is called once: with null, or with why nothing of it was written. */
  write(batches: readonly FrameBatch[], done: (cause: unknown) => void): void;
  /** Deletes all of a run; `done` as for `write`. */
  remove(run: number, done: (cause: unknown) => void): void;
  /** When there is time: a run that has ended takes less room from then on. */
  pack(run: number): void;
  /** Returns once everything handed over is written or refused, or after a second. */
  settle(): void;
  close(): Promise<void>;
}

export function writeInline(sink: FrameSink): FrameWriter {
  return {
    write: (batches, done) => done(problemOf(() => sink.write(batches))),
    remove(run, done) {
      done(
        problemOf(() => {
          while (sink.removeSome(run));
        }),
      );
    },
    pack(run) {
      problemOf(() => {
        while (sink.packSome(run));
      });
    },
    settle() {},
    close: async () => undefined,
  };
}

function problemOf(work: () => void): unknown {
  try {
    work();
    return null;
  } catch (cause) {
    return cause;
  }
}

const SETTLE_MS = 1000;

/** `path`: the frames' file, which exists. */
export function writeOnThread(path: string): FrameWriter {
  const waiting = new Map<number, (cause: unknown) => void>();
  /** How many messages the worker has dealt with: read while this thread stands still. */
  let handled = new Int32Array(new SharedArrayBuffer(4));
  let sent = 0;
  let worker: Worker | null = null;
  let closing = false;
  // Ready by the time that the first frames come.
  worker = start();
  worker.unref();

  function start(): Worker {
    handled = new Int32Array(new SharedArrayBuffer(4));
    sent = 0;
    const started = new Worker(workerUrl(), { workerData: { path, handled } });
    started.on('message', ({ id, problem }: WriterAnswer) => {
      const done = waiting.get(id);
      waiting.delete(id);
      done?.(problem === null ? null : Object.assign(new Error(problem.message), problem));
      if (waiting.size === 0) worker?.unref();
    });
    started.on('error', (cause) => ended(started, cause));
    started.on('exit', () => ended(started, new Error('The writer ended.')));
    return started;
  }

  /** Whoever waits tries again with the next one. */
  function ended(which: Worker, cause: unknown): void {
    if (worker !== which) return;
    worker = null;
    const all = [...waiting.values()];
    waiting.clear();
    for (const done of all) done(cause);
  }

  let lastId = 0;
  function post(job: WriterJob, done: (cause: unknown) => void): void {
    lastId += 1;
    waiting.set(lastId, done);
    worker ??= start();
    worker.ref();
    const message: WriterMessage = { id: lastId, job };
    worker.postMessage(message, job.kind === 'write' ? [job.parcel.numbers.buffer] : []);
    sent += 1;
  }

  return {
    write: (batches, done) => post({ kind: 'write', parcel: toParcel(batches) }, done),
    remove: (run, done) => post({ kind: 'remove', run }, done),
    pack: (run) => {
      if (!closing) post({ kind: 'pack', run }, () => undefined);
    },
    settle() {
      const until = performance.now() + SETTLE_MS;
      for (;;) {
        const seen = Atomics.load(handled, 0);
        const left = until - performance.now();
        if (worker === null || seen >= sent || left <= 0) return;
        Atomics.wait(handled, 0, seen, left);
      }
    },
    async close() {
      closing = true;
      while (waiting.size > 0 && worker !== null) {
        await new Promise<void>((resolve) => post({ kind: 'end' }, () => resolve()));
      }
      await worker?.terminate();
    },
  };
}

/** Beside this file as source; in the build an entry of its own, while this code lies in some chunk. */
function workerUrl(): URL {
  const names = import.meta.url.endsWith('.ts')
    ? ['./frame-worker.ts']
    : ['./frame-worker.js', '../frame-worker.js'];
  const urls = names.map((name) => new URL(name, import.meta.url));
  const found = urls.find((url) => existsSync(url)) ?? urls[0];
  if (found === undefined) throw new Error('There is no frame worker.');
  return found;
}
