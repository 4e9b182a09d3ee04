import { useEffect, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import {
  encodePeaks,
  MAX_PEAK_PAIRS,
  type MediaPeaks,
  type PeakTable,
  toMediaPeaks,
} from '../../../shared/media-peaks.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import type { WavShape } from '../../../shared/wav.ts';
import { PageError } from '../../lib/page-failure.ts';
import { mediaRequest } from '../uploads/upload-media.ts';
import type { PeakOrder, PeakWorkerAnswer } from './peak-worker.ts';
import { samplePeaks } from './sample-peaks.ts';
import type { RawSamples } from './use-audio-source.ts';

/** More than a waveform has pixels, so that it stays sharp on dense screens. */
const POINTS = 2400;

interface Peaks {
  /** Null until they are loaded. */
  peaks: MediaPeaks | null;
  failed: boolean;
}

/**
 * The outline of a medium, of a growing one so far; for raw samples it is computed here.
 * `fine`: for a waveform that is zoomed.
 */
export function usePeaks({ id, complete }: Media, raw: RawSamples | null, fine: boolean): Peaks {
  const [state, setState] = useState<Peaks>({ peaks: null, failed: false });
  const isRaw = raw !== null;
  const bytes = raw?.bytes ?? null;
  const { sampleRate, channels } = raw?.shape ?? { sampleRate: 0, channels: 0 };
  const points = fine ? MAX_PEAK_PAIRS : POINTS;

  useEffect(() => {
    if (complete) return;
    const controller = new AbortController();
    const pcm = isRaw ? { sampleRate, channels } : null;
    const show = (peaks: MediaPeaks) => setState({ peaks, failed: false });
    // Without it there is nothing to see until it is whole; that is not a failure yet.
    followPeaks({ id }, pcm, show, controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, [id, complete, isRaw, sampleRate, channels]);

  useEffect(() => {
    if (!complete || (isRaw && bytes === null)) return;
    const controller = new AbortController();
    const { signal } = controller;
    const loading =
      bytes === null
        ? loadMediaPeaks({ id }, { points, signal })
        : bytes
            .arrayBuffer()
            .then((samples) => samplePeaks(samples, { sampleRate, channels }, points));
    loading.then(
      (peaks) => {
        if (!signal.aborted) setState({ peaks, failed: false });
      },
      () => {
        if (!signal.aborted) setState({ peaks: null, failed: true });
      },
    );
    return () => controller.abort();
  }, [id, complete, isRaw, bytes, sampleRate, channels, points]);

  return raw?.failed ? { peaks: null, failed: true } : state;
}

const DEFAULT_POINTS = 2000;

interface PeakOptions {
  points?: number;
  signal?: AbortSignal;
}

/**
 * Made by main, or in a worker here for what only the browser decodes, which main then keeps. Rejects with a `PageFailure`, or the signal's reason.
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

  const table = await outlineSound(absoluteUrl(id), { signal });
  await mediaRequest(url, {
    method: 'PUT',
    body: encodePeaks(table).buffer,
    signal: signal ?? null,
  });
  return toMediaPeaks(table, points);
}

/** The outline of a growing file so far, updated until `signal` aborts or the file is complete. */
export async function followPeaks(
  { id }: Pick<Media, 'id'>,
  pcm: WavShape | null,
  onPeaks: (peaks: MediaPeaks) => void,
  signal: AbortSignal,
): Promise<void> {
  const onPart = (table: PeakTable) => onPeaks(toMediaPeaks(table, DEFAULT_POINTS));
  onPart(await outlineSound(absoluteUrl(id), { growing: true, pcm, onPart, signal }));
}

/** A worker's own address is another. */
function absoluteUrl(id: string): string {
  return new URL(mediaUrl(id), location.href).href;
}

interface OutlineOptions extends Partial<Omit<PeakOrder, 'url'>> {
  signal?: AbortSignal | undefined;
  /** While it grows: the outline so far. */
  onPart?: (table: PeakTable) => void;
}

/** The outline of a sound that the browser can decode, made in its own worker. */
export function outlineSound(url: string, options: OutlineOptions = {}): Promise<PeakTable> {
  const { signal, growing = false, pcm = null, onPart } = options;
  return new Promise<PeakTable>((resolve, reject) => {
    signal?.throwIfAborted();
    const worker = new Worker(new URL('./peak-worker.ts', import.meta.url), { type: 'module' });
    const end = () => {
      worker.terminate();
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (detail: string) => {
      end();
      reject(new PageError({ ...undecodable, detail }));
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
      } else if (data.complete) {
        end();
        resolve(data.table);
      } else onPart?.(data.table);
    });
    const order: PeakOrder = { url, growing, pcm };
    worker.postMessage(order);
  });
}

const undecodable = {
  kind: 'file' as const,
  message: 'The waveform is not available: the audio could not be decoded.',
  nextStep: 'Play it to check whether it is damaged.',
  gateway: null,
};
