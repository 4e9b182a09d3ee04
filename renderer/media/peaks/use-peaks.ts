import { useEffect, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import { MAX_PEAK_PAIRS, type MediaPeaks } from '../../../shared/media-peaks.ts';
import { followPeaks, loadMediaPeaks } from './media-peaks.ts';
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
