import { useEffect, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import type { MediaPeaks } from '../../../shared/media-peaks.ts';
import { loadMediaPeaks } from './media-peaks.ts';
import { samplePeaks } from './sample-peaks.ts';
import type { RawSamples } from './use-raw-samples.ts';

/** More than a waveform has pixels, so that it stays sharp on dense screens. */
const POINTS = 2400;

export interface Peaks {
  /** Null until they have come. */
  peaks: MediaPeaks | null;
  failed: boolean;
}

/** The outline of a complete medium; of raw samples it is made here. */
export function usePeaks({ id, complete }: Media, raw: RawSamples | null): Peaks {
  const [state, setState] = useState<Peaks>({ peaks: null, failed: false });
  const isRaw = raw !== null;
  const bytes = raw?.bytes ?? null;
  const { sampleRate, channels } = raw?.shape ?? { sampleRate: 0, channels: 0 };

  useEffect(() => {
    if (!complete || (isRaw && bytes === null)) return;
    const controller = new AbortController();
    const { signal } = controller;
    const loading =
      bytes === null
        ? loadMediaPeaks({ id }, { points: POINTS, signal })
        : bytes
            .arrayBuffer()
            .then((samples) => samplePeaks(samples, { sampleRate, channels }, POINTS));
    loading.then(
      (peaks) => {
        if (!signal.aborted) setState({ peaks, failed: false });
      },
      () => {
        if (!signal.aborted) setState({ peaks: null, failed: true });
      },
    );
    return () => controller.abort();
  }, [id, complete, isRaw, bytes, sampleRate, channels]);

  return raw?.failed ? { peaks: null, failed: true } : state;
}
