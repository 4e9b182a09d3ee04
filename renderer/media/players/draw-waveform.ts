import { importPart } from '../../lib/import-part.ts';
import { GAP_PIXELS, getBarPixels, type Stretch } from './waveform-scale.ts';

interface WaveformDrawing {
  /** Each level is a fraction of the height, from 0 to 1; all levels cover the same duration. */
  levels: Float32Array;
  /** Must be greater than 0. */
  durationSeconds: number;
  view: Stretch;
  /** The visible width in pixels. */
  width: number;
}

export interface DrawnWaveform {
  show(drawing: WaveformDrawing): void;
  setTime(seconds: number): void;
  setColors(colors: ThemeColors): void;
  destroy(): void;
}

/** Uses wavesurfer only for drawing, not for fetching, decoding or playing. */
export async function drawWaveform(
  place: HTMLElement,
  colors: ThemeColors,
): Promise<DrawnWaveform> {
  const { default: WaveSurfer } = await importPart(() => import('wavesurfer.js'));
  const host = document.createElement('div');
  host.style.height = '100%';
  const surfer = WaveSurfer.create({
    container: host,
    // Pass an unused media element, or wavesurfer would add one to the page.
    media: new Audio(),
    height: 'auto',
    barHeight: 0.94,
    barMinHeight: 2,
    barGap: GAP_PIXELS,
    cursorWidth: 1,
    interact: false,
    autoScroll: false,
    hideScrollbar: true,
    ...getColorOptions(colors),
  });
  // The content security policy forbids inline style elements.
  adoptStyles(host);
  place.append(host);

  const cursor = host.firstElementChild?.shadowRoot?.querySelector<HTMLElement>('.cursor');
  let shown: WaveformDrawing | null = null;
  let seconds = 0;

  function placeCursor(): void {
    // A cursor at the very start would look like a border.
    if (cursor) cursor.style.visibility = seconds > 0 ? 'visible' : 'hidden';
    if (shown !== null) surfer.setTime(Math.min(seconds, shown.durationSeconds));
  }

  function placeView(): void {
    if (shown !== null) surfer.setScrollTime(shown.view.from);
  }

  return {
    show(drawing) {
      const { levels, durationSeconds, view, width } = drawing;
      const isResized = shown !== null && width !== shown.width;
      const isNew = levels !== shown?.levels || durationSeconds !== shown.durationSeconds;
      const isZoomed = view.span < durationSeconds;
      const minPxPerSec = isZoomed ? width / view.span : 0;
      const wholeWidth = isZoomed ? durationSeconds * minPxPerSec : width;
      const barWidth = getBarPixels(levels.length, wholeWidth);
      shown = drawing;
      const { options } = surfer;
      // Setting the options redraws immediately; after a resize, wavesurfer waits 100 ms.
      if (isResized || minPxPerSec !== options.minPxPerSec || barWidth !== options.barWidth) {
        surfer.setOptions({ minPxPerSec, barWidth });
      }
      placeView();
      if (!isNew) return;
      // `load` rejects if newer peaks replaced these or the waveform was destroyed.
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
    setColors: (next) => surfer.setOptions(getColorOptions(next)),
    destroy() {
      surfer.destroy();
      host.remove();
    },
  };
}

function getColorOptions({ plain, strong, cursor }: ThemeColors) {
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

/** Canvases need the computed values of `color`, `outline-color` and `caret-color`. */
interface ThemeColors {
  plain: string;
  strong: string;
  cursor: string;
}

export function readThemeColors(element: Element): ThemeColors {
  const { color, outlineColor, caretColor } = getComputedStyle(element);
  return { plain: color, strong: outlineColor, cursor: caretColor };
}
