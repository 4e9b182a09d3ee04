import type { Media } from '../../../shared/media.ts';
import {
  encodePeaks,
  type MediaPeaks,
  type PeakTable,
  toMediaPeaks,
} from '../../../shared/media-peaks.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import { PageFailure } from '../../lib/page-failure.ts';
import { mediaRequest } from '../uploads/media-request.ts';
import type { PeakWorkerAnswer } from './peak-worker.ts';

const DEFAULT_POINTS = 2000;

interface PeakOptions {
  points?: number;
  signal?: AbortSignal;
}

/**
 * For wavesurfer: `peaks: [max, min]`, `duration`. Made by main, or in a worker here for what only
 * the browser decodes, which main then keeps. Rejects with a `PageFailure`, or the signal's reason.
 */
export async function loadMediaPeaks(
  { id }: Pick<Media, 'id'>,
  { points = DEFAULT_POINTS, signal }: PeakOptions = {},
): Promise<MediaPeaks> {
  const url = `${mediaUrl(id)}/peaks`;
  const response = await mediaRequest(`${url}?points=${points}`, {
    signal: signal ?? null,
    expected: [501],
  });
  if (response.status !== 501) return response.json();

  const table = await outlineSound(new URL(mediaUrl(id), location.href).href, signal);
  await mediaRequest(url, {
    method: 'PUT',
    body: encodePeaks(table).buffer,
    signal: signal ?? null,
  });
  return toMediaPeaks(table, points);
}

/** The outline of a sound that the browser can decode, made in a worker of its own. */
export function outlineSound(url: string, signal?: AbortSignal): Promise<PeakTable> {
  return new Promise<PeakTable>((resolve, reject) => {
    signal?.throwIfAborted();
    const worker = new Worker(new URL('./peak-worker.ts', import.meta.url), { type: 'module' });
    const end = () => {
      worker.terminate();
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (detail: string) => {
      end();
      reject(new PageFailure({ ...undecodable, detail }));
    };
    function onAbort(): void {
      end();
      reject(signal?.reason);
    }
    signal?.addEventListener('abort', onAbort);
    worker.addEventListener('error', (event) => fail(event.message));
    worker.addEventListener('message', ({ data }: MessageEvent<PeakWorkerAnswer>) => {
      if ('problem' in data) {
        fail(data.problem);
        return;
      }
      end();
      resolve(data.table);
    });
    worker.postMessage(url);
  });
}

const undecodable = {
  kind: 'file' as const,
  message: 'The waveform could not be drawn: the sound could not be decoded.',
  nextStep: 'Play it to hear whether it is damaged.',
  gateway: null,
};
