/** Runs image, video, speech and measurement jobs in worker threads. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SpeechFormat } from '../../../shared/operations/speech/speech.ts';
import { getWorkerUrl } from '../../base/worker-url.ts';
import type { Measurement } from '../../media/measure-media.ts';

/** Speech threads are reused, because loading the synthesizer takes as long as a sentence. */
const idle = new Map<Worker, NodeJS.Timeout>();
const MAX_IDLE = 2;
const IDLE_MS = 30_000;

/** Yields each part when it's ready; throws if the job fails. Leaving the loop ends the thread. */
export async function* runJob<Job extends StudioJob>(
  job: Job,
  signal: AbortSignal,
): AsyncGenerator<StudioParts[Job['kind']], void> {
  signal.throwIfAborted();
  const worker = (job.kind === 'speech' ? takeIdle() : null) ?? startThread();
  let isDone = false;
  try {
    const parts = on(worker, 'message', { signal, close: ['exit'] });
    worker.postMessage(job);
    for await (const [part] of parts) {
      isDone = part === null;
      if (isDone) return;
      yield part;
    }
    throw new Error(`The media generator stopped while making ${job.kind}.`);
  } finally {
    // End the thread to free the memory used by videos and files.
    if (isDone && job.kind === 'speech') keepThread(worker);
    else await worker.terminate();
  }
}

export async function runSingle<Job extends StudioJob>(
  job: Job,
  signal: AbortSignal,
): Promise<StudioParts[Job['kind']]> {
  for await (const part of runJob(job, signal)) return part;
  throw new Error(`The studio made no ${job.kind}.`);
}

function takeIdle(): Worker | null {
  const [worker, ending] = [...idle].at(-1) ?? [];
  if (worker === undefined) return null;
  clearTimeout(ending);
  idle.delete(worker);
  worker.ref();
  return worker;
}

function startThread(): Worker {
  const url = getWorkerUrl('./worker/studio-worker.ts', import.meta.url);
  const worker = new Worker(url, { name: 'studio' });
  // Keep this listener: without one, an error would end the process. Jobs handle the error
  // themselves.
  worker.on('error', () => undefined);
  worker.on('exit', () => forgetThread(worker));
  return worker;
}

function keepThread(worker: Worker): void {
  const hasExited = worker.threadId === -1;
  if (hasExited || idle.size >= MAX_IDLE) {
    void worker.terminate();
    return;
  }
  worker.unref();
  const ending = setTimeout(() => {
    forgetThread(worker);
    void worker.terminate();
  }, IDLE_MS);
  idle.set(worker, ending.unref());
}

function forgetThread(worker: Worker): void {
  clearTimeout(idle.get(worker));
  idle.delete(worker);
}

export interface ImagePlan {
  prompt: string;
  width: number;
  height: number;
  seed: string;
}

/** The files of an edit; `maskPath` is null without a mask. */
export interface ImageEdit {
  imagePath: string;
  maskPath: string | null;
}

export type ImageStyle = 'painting' | 'sketch';

export interface VideoPlan extends ImagePlan {
  durationSeconds: number;
  fps: number;
}

export interface SpeechPlan {
  text: string;
  voice: string;
  speed: number;
  format: SpeechFormat;
  line: SpeechLine;
}

export type SpeechLine = 'studio' | 'phone';

export interface SpeechPart {
  bytes: Uint8Array;
  seconds: number;
}

export type StudioJob =
  | {
      kind: 'image';
      plan: ImagePlan;
      style: ImageStyle;
      edit?: ImageEdit | undefined;
      /** The side length of the squares in an unfinished image. */
      blockPixels?: number;
    }
  | { kind: 'video'; plan: VideoPlan }
  | { kind: 'still'; plan: VideoPlan; variant: 'thumbnail' | 'spritesheet' }
  | { kind: 'speech'; plan: SpeechPlan }
  | { kind: 'measure'; path: string; type: string };

export interface StudioParts {
  image: Uint8Array;
  video: Uint8Array;
  still: Uint8Array;
  speech: SpeechPart;
  measure: Measurement;
}
