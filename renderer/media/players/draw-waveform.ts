import type { MediaPeaks } from '../../../shared/media-peaks.ts';
import { importPart } from '../../lib/import-part.ts';

const GAP_PIXELS = 1;

export interface WaveformDrawing {
  /** 0 to 1 of the height, of equally long stretches of the sound. */
  levels: Float32Array;
  /** More than 0. */
  durationSeconds: number;
  view: Stretch;
  /** Width of the view in pixels. */
  width: number;
}

export interface DrawnWaveform {
  show(drawing: WaveformDrawing): void;
  setTime(seconds: number): void;
  setColors(colors: ThemeColors): void;
  destroy(): void;
}

/** wavesurfer draws ready peaks; it neither fetches, decodes nor plays. Loaded when first needed. */
export async function drawWaveform(
  place: HTMLElement,
  colors: ThemeColors,
): Promise<DrawnWaveform> {
  const { default: WaveSurfer } = await importPart(() => import('wavesurfer.js'));
  const host = document.createElement('div');
  host.style.height = '100%';
  const surfer = WaveSurfer.create({
    container: host,
    // Never filled. One of wavesurfer's own would be a second sound in the page.
    media: new Audio(),
    height: 'auto',
    barHeight: 0.94,
    barMinHeight: 2,
    barGap: GAP_PIXELS,
    cursorWidth: 1,
    interact: false,
    autoScroll: false,
    hideScrollbar: true,
    ...colorOptions(colors),
  });
  // Before it is in the page: its content security policy allows no inline style elements.
  adoptStyles(host);
  place.append(host);

  const cursor = host.firstElementChild?.shadowRoot?.querySelector<HTMLElement>('.cursor');
  let shown: WaveformDrawing | null = null;
  let seconds = 0;

  function placeCursor(): void {
    // At the very beginning it would look like an edge.
    if (cursor) cursor.style.visibility = seconds > 0 ? 'visible' : 'hidden';
    if (shown !== null) surfer.setTime(Math.min(seconds, shown.durationSeconds));
  }

  function placeView(): void {
    if (shown !== null) surfer.setScrollTime(shown.view.from);
  }

  return {
    show(drawing) {
      const { levels, durationSeconds, view, width } = drawing;
      const isNew = levels !== shown?.levels || durationSeconds !== shown.durationSeconds;
      const isZoomed = view.span < durationSeconds;
      const minPxPerSec = isZoomed ? width / view.span : 0;
      const wholeWidth = isZoomed ? durationSeconds * minPxPerSec : width;
      const barWidth = barPixels(levels.length, wholeWidth, GAP_PIXELS);
      shown = drawing;
      const { options } = surfer;
      if (minPxPerSec !== options.minPxPerSec || barWidth !== options.barWidth) {
        surfer.setOptions({ minPxPerSec, barWidth });
      }
      placeView();
      if (!isNew) return;
      // A rejection means that newer peaks replaced these, or that it was destroyed.
      surfer.load('', [levels], durationSeconds).then(
        () => {
          placeCursor();
          placeView();
        },
        () => undefined,
      );
    },
    setTime(now) {
      seconds = now;
      placeCursor();
    },
    setColors: (next) => surfer.setOptions(colorOptions(next)),
    destroy() {
      surfer.destroy();
      host.remove();
    },
  };
}

function colorOptions({ plain, strong, cursor }: ThemeColors) {
  return { waveColor: plain, progressColor: strong, cursorColor: cursor };
}

function adoptStyles(host: HTMLElement): void {
  const root = host.firstElementChild?.shadowRoot;
  const style = root?.querySelector('style');
  if (!root || !style) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style.textContent);
  root.adoptedStyleSheets = [sheet];
  style.remove();
}

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

/** For canvases: what `color`, `outline-color` and `caret-color` of an element come to by now. */
export interface ThemeColors {
  plain: string;
  strong: string;
  cursor: string;
}

export function themeColors(element: Element): ThemeColors {
  const { color, outlineColor, caretColor } = getComputedStyle(element);
  return { plain: color, strong: outlineColor, cursor: caretColor };
}

/** Calls back when the theme may have changed. Returns the function that ends it. */
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
