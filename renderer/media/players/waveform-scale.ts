import type { MediaPeaks } from '../../../shared/media-peaks.ts';

/** The visible range of the audio in seconds. */
export interface Stretch {
  from: number;
  span: number;
}

export const BAR_PIXELS = 2;
export const GAP_PIXELS = 1;

/** Returns a bar width that gives each bar at least one point. */
export function getBarPixels(points: number, pixels: number): number {
  return Math.max(BAR_PIXELS, Math.ceil(pixels / points) - GAP_PIXELS);
}

/** Scales to the 99th percentile; with `normalize`, a single click would flatten a voice. */
export function getLevels(peaks: MediaPeaks): Float32Array {
  const loudness = peaks.max.map((_, point) => getLoudness(peaks, point));
  const reference = referenceLoudness(loudness);
  return Float32Array.from(loudness, (level) => Math.min(1, level / reference));
}

/** Quieter audio is considered noise and isn't scaled up. */
const SILENCE = 0.01;

function referenceLoudness(loudness: readonly number[]): number {
  const ordered = Float32Array.from(loudness).sort();
  const loud = ordered[Math.floor((ordered.length - 1) * 0.99)] ?? 0;
  return Math.max(loud, SILENCE);
}

function getLoudness({ max, min }: MediaPeaks, point: number): number {
  return Math.max(Math.abs(max[point] ?? 0), Math.abs(min[point] ?? 0));
}

/** Lines that are closer together would hide the waveform. */
const LINE_GAP_PIXELS = 8;

/** Returns the x positions of `starts`, without lines that are too close together. */
export function listSegmentLines(
  starts: readonly number[],
  { from, span }: Stretch,
  width: number,
): number[] {
  const lines: number[] = [];
  for (const start of starts) {
    const x = ((start - from) / span) * width;
    if (x <= 0 || x >= width) continue;
    if (x - (lines.at(-1) ?? 0) >= LINE_GAP_PIXELS) lines.push(x);
  }
  return lines;
}
