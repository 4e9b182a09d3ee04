import { create } from 'zustand';
import type { AppError } from '../../../shared/errors.ts';
import { getMediaUrl, type Media } from '../../../shared/media.ts';
import { toAppError } from '../../lib/app-error.ts';
import { PageError } from '../../lib/page-failure.ts';
import { getMediaTitle } from '../../media/players/describe-media.ts';
import { createMediaError } from '../../media/uploads/media-filter.ts';
import { linkCopy } from '../../media/uploads/originals.ts';
import { uploadMedia } from '../../media/uploads/upload-media.ts';
import { type CopyPlan, MAX_UPLOAD_BYTES } from './plan-copy.ts';
import type { CopyWorkerRequest, CopyWorkerResponse } from './smaller-copy-worker.ts';

export interface CopyJob {
  /** From 0 to 1. */
  progress: number;
  error: AppError | null;
  controller: AbortController;
}

interface CopyState {
  /** Keyed by the original's ID; jobs outlive the panel. */
  jobs: Readonly<Record<string, CopyJob>>;
  /** The IDs of large files that the user chose to send as they are. */
  accepted: readonly string[];
}

export const useCopies = create<CopyState>(() => ({ jobs: {}, accepted: [] }));

export function acceptLarge(mediaId: string): void {
  useCopies.setState(({ accepted }) => ({ accepted: [...accepted, mediaId] }));
}

/** Returns true if the user must choose how to send the file. */
export function useNeedsChoice(media: Media | null): boolean {
  const accepted = useCopies((state) => state.accepted);
  return media !== null && media.sizeBytes > MAX_UPLOAD_BYTES && !accepted.includes(media.id);
}

export async function makeSmallerCopy(
  media: Media,
  plan: CopyPlan,
  onReady: (copy: Media) => void,
): Promise<void> {
  const { id } = media;
  const controller = new AbortController();
  const { signal } = controller;
  setJob(id, { progress: 0, error: null, controller });
  const report = (progress: number) => {
    if (!signal.aborted) setJob(id, { progress, error: null, controller });
  };
  try {
    const blob = await runWorker(media, plan, signal, report);
    const copy = await uploadMedia(blob, { name: nameCopy(media), signal });
    if (signal.aborted) return;
    linkCopy(copy, media);
    setJob(id, null);
    onReady(copy);
  } catch (cause) {
    if (!signal.aborted) setJob(id, { progress: 0, error: toAppError(cause), controller });
  }
}

/** Stops the copy, or dismisses its error. */
export function cancelCopy(mediaId: string): void {
  useCopies.getState().jobs[mediaId]?.controller.abort();
  setJob(mediaId, null);
}

function setJob(mediaId: string, job: CopyJob | null): void {
  useCopies.setState(({ jobs }) => {
    const { [mediaId]: _old, ...others } = jobs;
    return { jobs: job === null ? others : { ...others, [mediaId]: job } };
  });
}

function nameCopy(media: Media): string {
  return `${getMediaTitle(media).replace(/\.[^.]+$/, '')} (smaller copy).mp3`;
}

function runWorker(
  media: Media,
  { bitsPerSecond }: CopyPlan,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./smaller-copy-worker.ts', import.meta.url), {
      type: 'module',
    });
    const end = () => {
      worker.terminate();
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (detail: string) => {
      end();
      reject(new PageError(unencodable(media, detail)));
    };
    function onAbort(): void {
      end();
      reject(signal.reason);
    }
    signal.addEventListener('abort', onAbort);
    worker.addEventListener('error', ({ message }) => fail(message));
    worker.addEventListener('message', ({ data }: MessageEvent<CopyWorkerResponse>) => {
      if ('progress' in data) return onProgress(data.progress);
      if ('problem' in data) return fail(data.problem);
      end();
      resolve(data.blob);
    });
    // A worker has a different base URL.
    const order: CopyWorkerRequest = {
      url: new URL(getMediaUrl(media.id), location.href).href,
      bitsPerSecond,
    };
    worker.postMessage(order);
  });
}

function unencodable(media: Media, detail: string): AppError {
  return createMediaError(
    `Couldn’t make a smaller copy of “${getMediaTitle(media)}”.`,
    'Convert it in another app, or send the original.',
    detail,
  );
}
