import { useEffect, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import type { MediaPeaks } from '../../../shared/media-peaks.ts';
import { loadMediaPeaks } from './media-peaks.ts';
import { samplePeaks } from './sample-peaks.ts';
import { fetchSamples } from './use-audio-source.ts';
import type { WavShape } from './wav.ts';

/** More than a waveform has pixels, so that it stays sharp on dense screens. */
const POINTS = 2400;

export interface Peaks {
  /** Null until they have come. */
  peaks: MediaPeaks | null;
  failed: boolean;
}

/** The outline of a complete medium; of raw samples it is made here. */
export function usePeaks({ id, complete }: Media, pcm: WavShape | undefined): Peaks {
  const [state, setState] = useState<Peaks>({ peaks: null, failed: false });
  const { sampleRate, channels } = pcm ?? { sampleRate: 0, channels: 0 };

  useEffect(() => {
    if (!complete) return;
    const controller = new AbortController();
    const { signal } = controller;
    const loading =
      sampleRate === 0
        ? loadMediaPeaks({ id }, { points: POINTS, signal })
        : fetchSamples(id, signal)
            .then((samples) => samples.arrayBuffer())
            .then((bytes) => samplePeaks(bytes, { sampleRate, channels }, POINTS));
    loading.then(
      (peaks) => {
        if (!signal.aborted) setState({ peaks, failed: false });
      },
      () => {
        if (!signal.aborted) setState({ peaks: null, failed: true });
      },
    );
    return () => controller.abort();
  }, [id, complete, sampleRate, channels]);

  return state;
}
