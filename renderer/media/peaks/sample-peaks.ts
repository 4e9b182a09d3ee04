import {
  createPeakBuilder,
  type MediaPeaks,
  type PeakBuilder,
  toMediaPeaks,
} from '../../../shared/media-peaks.ts';
import type { WavShape } from '../../../shared/wav.ts';

/** Expects raw 16-bit little-endian samples. */
export function samplePeaks(bytes: ArrayBuffer, shape: WavShape, points: number): MediaPeaks {
  const builder = createPeakBuilder();
  addSamples(builder, bytes, shape.channels);
  return toMediaPeaks(builder.finish(shape.sampleRate), points);
}

export function addSamples(builder: PeakBuilder, bytes: ArrayBuffer, channels: number): void {
  const samples = new Int16Array(bytes, 0, Math.floor(bytes.byteLength / 2));
  for (let frame = 0; frame + channels <= samples.length; frame += channels) {
    let min = 32_767;
    let max = -32_768;
    for (let channel = 0; channel < channels; channel += 1) {
      const sample = samples[frame + channel] ?? 0;
      if (sample < min) min = sample;
      if (sample > max) max = sample;
    }
    builder.add(min, max);
  }
}
