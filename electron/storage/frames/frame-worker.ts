/** Writes frames on a thread, because a commit blocks until the disk has finished. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type SerializedError, serializeError, toError } from '../storage-error.ts';
import { connectFrameFile } from './frame-file.ts';
import { createFrameSink, type FrameBatch } from './frame-sink.ts';

export type WriterJob =
  | { kind: 'write'; batches: readonly FrameBatch[] }
  | { kind: 'remove'; run: number }
  | { kind: 'pack'; run: number }
  /**
   * Responds after all earlier writes; any remaining packing and deleting is left for the next
   * start.
   */
  | { kind: 'end' };

export interface WriterMessage {
  id: number;
  job: WriterJob;
}

export interface WriterAnswer {
  id: number;
  problem: SerializedError | null;
}

/** Pauses between two steps of packing or deleting, so that writes go first. */
const CHORE_PAUSE_MS = 20;

const { path, handled, answers }: { path: string; handled: Int32Array; answers: MessagePort } =
  workerData;
const db = connectFrameFile(path);
const sink = createFrameSink(db);
const chores: { step: () => boolean; end: (problem: SerializedError | null) => void }[] = [];
let working = false;

for (const run of sink.listUnpacked()) {
  addChore(
    () => sink.packSome(run),
    () => undefined,
  );
}

parentPort?.on('message', ({ id, job }: WriterMessage) => {
  const end = (problem: SerializedError | null) => {
    const answer: WriterAnswer = { id, problem };
    answers.postMessage(answer);
  };
  switch (job.kind) {
    case 'write':
      end(tryWork(() => sink.write(job.batches)));
      break;
    case 'remove':
      addChore(() => sink.removeSome(job.run), end);
      break;
    case 'pack':
      addChore(() => sink.packSome(job.run), end);
      break;
    case 'end':
      for (const chore of chores.splice(0)) chore.end({ message: 'The writer is closing.' });
      end(null);
      break;
  }
  Atomics.add(handled, 0, 1);
  Atomics.notify(handled, 0);
});

function addChore(step: () => boolean, end: (problem: SerializedError | null) => void): void {
  chores.push({ step, end });
  if (!working) setTimeout(doChore, CHORE_PAUSE_MS);
  working = true;
}

function doChore(): void {
  const [chore] = chores;
  if (chore === undefined) {
    working = false;
    return;
  }
  let more = false;
  const problem = tryWork(() => {
    more = chore.step();
  });
  if (!more) {
    chores.shift();
    chore.end(problem);
  }
  setTimeout(doChore, CHORE_PAUSE_MS);
}

function tryWork(work: () => void): SerializedError | null {
  const cause = toError(work);
  return cause === null ? null : serializeError(cause);
}
