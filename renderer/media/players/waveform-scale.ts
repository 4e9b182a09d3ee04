import type { MediaPeaks } from '../../../shared/media-peaks.ts';

/** The stretch of a sound that is in view. Seconds. */
export interface Stretch {
  from: number;
  span: number;
}

const BAR_PIXELS = 2;

/** The width of a bar, of which each has a point of the outline at least; `pixels`: of the whole sound. */
export function barPixels(points: number, pixels: number, gapPixels: number): number {
  return Math.max(BAR_PIXELS, Math.ceil(pixels / points) - gapPixels);
}

/** 0 to 1 of the height, so that a quiet sound fills it as a loud one does. */
export function getLevels(peaks: MediaPeaks): Float32Array {
  const loudness = peaks.max.map((_, point) => loudnessAt(peaks, point));
  const reference = referenceLoudness(loudness);
  return Float32Array.from(loudness, (level) => Math.min(1, level / reference));
}

/** Below it is noise, which would look like a voice if it were stretched. */
const SILENCE = 0.01;

/** What fills the height: almost the loudest point, so that one click of a switch flattens no voice. */
function referenceLoudness(loudness: readonly number[]): number {
  const ordered = Float32Array.from(loudness).sort();
  const loud = ordered[Math.floor((ordered.length - 1) * 0.99)] ?? 0;
  return Math.max(loud, SILENCE);
}

function loudnessAt({ max, min }: MediaPeaks, point: number): number {
  return Math.max(Math.abs(max[point] ?? 0), Math.abs(min[point] ?? 0));
}

/** Nearer together they would hide the sound behind them. */
const LINE_GAP_PIXELS = 8;

/** Where segments begin in the view, in pixels; `starts` in order. A line too near to the one before is left out. */
export function segmentLines(
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
