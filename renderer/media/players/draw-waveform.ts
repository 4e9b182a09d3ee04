import type { MediaPeaks } from '../../../shared/media-peaks.ts';

export const BAR_PIXELS = 2;
export const GAP_PIXELS = 1;
/** Leaves room above the tallest bar. */
const TALLEST = 0.94;

/** A stretch is the visible part of the audio in seconds. */
export interface Stretch {
  from: number;
  span: number;
}

interface Waveform {
  /** Each level is a share of the height from 0 to 1; all levels cover equal durations. */
  levels: Float32Array;
  /** The duration must be greater than 0. */
  durationSeconds: number;
  view: Stretch;
  /** The current position. */
  seconds: number;
}

/** Draws bars, the played part in another color, and the position. */
export function drawWaveform(canvas: HTMLCanvasElement, waveform: Waveform): void {
  const { levels, durationSeconds, view, seconds } = waveform;
  const context = clearCanvas(canvas);
  if (context === null) return;
  const { clientWidth: width, clientHeight: height } = canvas;
  const pixelsPerSecond = width / view.span;
  const points = levels.length / (durationSeconds * pixelsPerSecond);
  const barWidth = barPixels(levels.length, durationSeconds * pixelsPerSecond);
  const step = barWidth + GAP_PIXELS;
  const left = view.from * pixelsPerSecond;
  const bars = new Path2D();
  for (let x = Math.floor(left / step) * step; x < left + width; x += step) {
    const own = levels.subarray(Math.floor(x * points), Math.ceil((x + step) * points));
    const bar = Math.max(
      2,
      own.reduce((most, level) => Math.max(most, level), 0) * height * TALLEST,
    );
    bars.rect(x - left, (height - bar) / 2, barWidth, bar);
  }
  const { plain, strong, cursor } = themeColors(canvas);
  const played = (seconds - view.from) * pixelsPerSecond;
  context.fillStyle = plain;
  context.fill(bars);
  context.save();
  context.beginPath();
  context.rect(0, 0, Math.max(0, played), height);
  context.clip();
  context.fillStyle = strong;
  context.fill(bars);
  context.restore();
  context.fillStyle = cursor;
  // A cursor at the very start would look like an edge.
  if (seconds > 0) context.fillRect(Math.min(played, width - 1), 0, 1, height);
}

/** Fits the bitmap to the element and scales the context to CSS pixels. */
export function clearCanvas(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  canvas.width = canvas.clientWidth * devicePixelRatio;
  canvas.height = canvas.clientHeight * devicePixelRatio;
  const context = canvas.getContext('2d');
  context?.scale(devicePixelRatio, devicePixelRatio);
  return context;
}

/** Canvases need computed colors from `color`, `outline-color` and `caret-color`. */
interface ThemeColors {
  plain: string;
  strong: string;
  cursor: string;
}

export function themeColors(element: Element): ThemeColors {
  const { color, outlineColor, caretColor } = getComputedStyle(element);
  return { plain: color, strong: outlineColor, cursor: caretColor };
}

/** Returns an unsubscribe function. */
export function watchTheme(listener: () => void): () => void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(listener);
  query.addEventListener('change', listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    query.removeEventListener('change', listener);
    observer.disconnect();
  };
}

/** Returns a bar width that gives each bar at least one point. */
export function barPixels(points: number, pixels: number): number {
  return Math.max(BAR_PIXELS, Math.ceil(pixels / points) - GAP_PIXELS);
}

/** Scales to the 99th percentile, because `normalize` lets a single click flatten a voice. */
export function getLevels(peaks: MediaPeaks): Float32Array {
  const loudness = peaks.max.map((_, point) => loudnessAt(peaks, point));
  const reference = referenceLoudness(loudness);
  return Float32Array.from(loudness, (level) => Math.min(1, level / reference));
}

/** Audio below this level is noise and isn't scaled up. */
const SILENCE = 0.01;

function referenceLoudness(loudness: readonly number[]): number {
  const ordered = Float32Array.from(loudness).sort();
  const loud = ordered[Math.floor((ordered.length - 1) * 0.99)] ?? 0;
  return Math.max(loud, SILENCE);
}

function loudnessAt({ max, min }: MediaPeaks, point: number): number {
  return Math.max(Math.abs(max[point] ?? 0), Math.abs(min[point] ?? 0));
}

/** Closer lines would hide the waveform. */
const LINE_GAP_PIXELS = 8;

/** Returns the x positions of `starts` and skips lines that are too close together. */
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
