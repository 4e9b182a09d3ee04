/** The thread that writes frames: commits and checkpoints wait for the disk, and main must not. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { getProblem, type SerializedError, toError } from '../thread-problem.ts';
import { connectFrameFile } from './frame-file.ts';
import { type FrameParcel, fromParcel } from './frame-parcel.ts';
import { createFrameSink } from './frame-sink.ts';

export type WriterJob =
  | { kind: 'write'; parcel: FrameParcel }
  | { kind: 'remove'; run: number }
  | { kind: 'pack'; run: number }
  /** Answered behind every write before it; what is left to pack or to delete is for the next start. */
  | { kind: 'end' };

export interface WriterMessage {
  id: number;
  job: WriterJob;
}

export interface WriterAnswer {
  id: number;
  problem: SerializedError | null;
}

/** A chore gives way to what is written: this long between two steps of it. */
const CHORE_PAUSE_MS = 20;

const { path, handled, answers }: { path: string; handled: Int32Array; answers: MessagePort } =
  workerData;
const db = connectFrameFile(path);
const sink = createFrameSink(db);
const chores: { step: () => boolean; end: (problem: SerializedError | null) => void }[] = [];
let working = false;

/** What the last process could not pack. */
for (const run of sink.unpacked())
  addChore(
    () => sink.packSome(run),
    () => undefined,
  );

parentPort?.on('message', ({ id, job }: WriterMessage) => {
  const end = (problem: SerializedError | null) => {
    const answer: WriterAnswer = { id, problem };
    answers.postMessage(answer);
  };
  switch (job.kind) {
    case 'write':
      end(getRefusal(() => sink.write(fromParcel(job.parcel))));
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
  const problem = getRefusal(() => {
    more = chore.step();
  });
  if (!more) {
    chores.shift();
    chore.end(problem);
  }
  setTimeout(doChore, CHORE_PAUSE_MS);
}

function getRefusal(work: () => void): SerializedError | null {
  const cause = toError(work);
  return cause === null ? null : getProblem(cause);
}
