import type { MediaPeaks } from '../../../shared/media-peaks.ts';

/** The stretch of a sound that is in view. Seconds. */
export interface Stretch {
  from: number;
  span: number;
}

export interface Bar {
  /** Pixels from the left edge of the view; negative where it begins before it. */
  x: number;
  /** 0 to 1 of the height, so that a quiet sound fills it as a loud one does. */
  height: number;
}

/** Where the bar of `index` begins does not depend on the view: scrolling moves bars and changes none. */
export function barsOf(
  peaks: MediaPeaks,
  { from, span }: Stretch,
  width: number,
  step: number,
  reference: number,
): Bar[] {
  const points = peaks.max.length;
  const { durationSeconds } = peaks;
  if (points === 0 || durationSeconds <= 0 || span <= 0) return [];
  const barSeconds = (span * step) / width;
  const pointsPerSecond = points / durationSeconds;
  const last = Math.min((from + span) / barSeconds, durationSeconds / barSeconds);
  const bars: Bar[] = [];
  for (let index = Math.floor(from / barSeconds); index < last; index += 1) {
    const start = Math.floor(index * barSeconds * pointsPerSecond);
    const end = Math.max(start + 1, Math.floor((index + 1) * barSeconds * pointsPerSecond));
    let loudest = 0;
    for (let point = start; point < end && point < points; point += 1) {
      loudest = Math.max(loudest, loudnessAt(peaks, point));
    }
    bars.push({
      x: ((index * barSeconds - from) / span) * width,
      height: Math.min(1, loudest / reference),
    });
  }
  return bars;
}

/** Below it is noise, which would look like a voice if it were stretched. */
const SILENCE = 0.01;

/** What fills the height: almost the loudest point, so that one click of a switch flattens no voice. */
export function referenceLoudness(peaks: MediaPeaks): number {
  const levels = peaks.max.map((_, point) => loudnessAt(peaks, point)).sort((a, b) => a - b);
  const loud = levels[Math.floor((levels.length - 1) * 0.99)] ?? 0;
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
