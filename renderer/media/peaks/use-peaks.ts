import { useEffect, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import { type MediaPeaks, toMediaPeaks } from '../../../shared/media-peaks.ts';
import { createPeakBuilder } from '../../../shared/peak-builder.ts';
import type { WavShape } from '../../../shared/wav.ts';
import { loadMediaPeaks } from './media-peaks.ts';
import type { RawSamples } from './use-audio-source.ts';

/** More than a waveform has pixels, so that it stays sharp on dense screens. */
const POINTS = 2400;

interface Peaks {
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

/** The outline of raw 16-bit samples, little-endian as on the wire. */
export function samplePeaks(bytes: ArrayBuffer, shape: WavShape, points: number): MediaPeaks {
  const { sampleRate, channels } = shape;
  const samples = new Int16Array(bytes, 0, Math.floor(bytes.byteLength / 2));
  const builder = createPeakBuilder();
  for (let frame = 0; frame + channels <= samples.length; frame += channels) {
    let least = 32_767;
    let greatest = -32_768;
    for (let channel = 0; channel < channels; channel += 1) {
      const sample = samples[frame + channel] ?? 0;
      if (sample < least) least = sample;
      if (sample > greatest) greatest = sample;
    }
    builder.add(least, greatest);
  }
  return toMediaPeaks(builder.finish(sampleRate), points);
}
