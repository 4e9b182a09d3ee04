import { useEffect, useState } from 'react';
import { getMediaUrl, getRawShape, isRawAudio, type Media } from '../../../shared/media.ts';
import {
  encodePeaks,
  MAX_PEAK_PAIRS,
  type MediaPeaks,
  type PeakTable,
  toMediaPeaks,
} from '../../../shared/media-peaks.ts';
import type { WavShape } from '../../../shared/wav.ts';
import { PageError } from '../../lib/page-failure.ts';
import { requestMedia } from '../uploads/upload-media.ts';
import type { PeakWorkerRequest, PeakWorkerResponse } from './peak-worker.ts';
import { samplePeaks } from './sample-peaks.ts';
import type { RawSamples } from './use-audio-source.ts';

/** More points than CSS pixels, so that the waveform is sharp on high-density screens. */
const POINTS = 2400;

interface Peaks {
  /** `peaks` is null until the peaks have loaded. */
  peaks: MediaPeaks | null;
  failed: boolean;
}

/** Updates while the item grows; `fine` loads more detailed peaks for a zoomed waveform. */
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
    // While the file grows, a missing waveform isn't an error.
    followPeaks({ id }, pcm, show, controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, [id, complete, isRaw, sampleRate, channels]);

  useEffect(() => {
    if (!complete || (isRaw && bytes === null)) return;
    const controller = new AbortController();
    const { signal } = controller;
    const loading =
      bytes === null
        ? loadStoredPeaks({ id }, { points, signal })
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

/** Returns the peaks of any complete audio; rejects with a `PageError`. */
export async function loadMediaPeaks(media: Media, options: PeakOptions = {}): Promise<MediaPeaks> {
  if (!isRawAudio(media.type)) return loadStoredPeaks(media, options);
  const { points = DEFAULT_POINTS, signal = null } = options;
  const samples = await requestMedia(getMediaUrl(media.id), { signal });
  return samplePeaks(await samples.arrayBuffer(), getRawShape(media), points);
}

/** Decodes and uploads peaks that only the browser can compute. */
async function loadStoredPeaks(
  { id }: Pick<Media, 'id'>,
  { points = DEFAULT_POINTS, signal }: PeakOptions,
): Promise<MediaPeaks> {
  const url = `${getMediaUrl(id)}/peaks`;
  const response = await requestMedia(`${url}?points=${points}`, { signal: signal ?? null });
  if (response.status !== 204) return response.json();

  const table = await outlineAudio(getAbsoluteUrl(id), { signal });
  await requestMedia(url, {
    method: 'PUT',
    body: encodePeaks(table).buffer,
    signal: signal ?? null,
  });
  return toMediaPeaks(table, points);
}

/** Reports a growing file's peaks until the file is complete or `signal` aborts. */
export async function followPeaks(
  { id }: Pick<Media, 'id'>,
  pcm: WavShape | null,
  onPeaks: (peaks: MediaPeaks) => void,
  signal: AbortSignal,
): Promise<void> {
  const onPart = (table: PeakTable) => onPeaks(toMediaPeaks(table, DEFAULT_POINTS));
  onPart(await outlineAudio(getAbsoluteUrl(id), { growing: true, pcm, onPart, signal }));
}

/** The URL must be absolute, because a worker has a different base URL. */
function getAbsoluteUrl(id: string): string {
  return new URL(getMediaUrl(id), location.href).href;
}

interface OutlineOptions extends Partial<Omit<PeakWorkerRequest, 'url'>> {
  signal?: AbortSignal | undefined;
  /** Reports the peaks of the audio decoded so far. */
  onPart?: (table: PeakTable) => void;
}

/** Computes peaks in a worker for audio that the browser can decode. */
export function outlineAudio(url: string, options: OutlineOptions = {}): Promise<PeakTable> {
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
    worker.addEventListener('message', ({ data }: MessageEvent<PeakWorkerResponse>) => {
      if ('problem' in data) {
        fail(data.problem);
      } else if (data.complete) {
        end();
        resolve(data.table);
      } else onPart?.(data.table);
    });
    const order: PeakWorkerRequest = { url, growing, pcm };
    worker.postMessage(order);
  });
}

const undecodable = {
  kind: 'file' as const,
  message: 'The waveform isn’t available: the audio couldn’t be decoded.',
  nextStep: 'Play it to check whether it is damaged.',
  gateway: null,
};
