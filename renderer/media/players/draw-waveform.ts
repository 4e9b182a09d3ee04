import type { MediaPeaks } from '../../../shared/media-peaks.ts';
import type { ThemeColours } from './theme-colours.ts';

export interface DrawnWaveform {
  setTime(seconds: number): void;
  setColours(colours: ThemeColours): void;
  destroy(): void;
}

/** wavesurfer draws ready peaks; it neither fetches, decodes nor plays. Loaded when first needed. */
export async function drawWaveform(
  place: HTMLElement,
  peaks: MediaPeaks,
  colours: ThemeColours,
): Promise<DrawnWaveform> {
  const { default: WaveSurfer } = await import('wavesurfer.js');
  const host = document.createElement('div');
  const surfer = WaveSurfer.create({
    container: host,
    peaks: [peaks.max, peaks.min],
    duration: peaks.durationSeconds,
    height: place.clientHeight,
    cursorWidth: 1,
    interact: false,
    hideScrollbar: true,
    ...colourOptions(colours),
  });
  // Before it is in the page: its content security policy allows no inline style elements.
  adoptStyles(host);
  place.append(host);
  await new Promise((resolve) => surfer.once('decode', resolve));
  return {
    setTime: (seconds) => surfer.setTime(seconds),
    setColours: (next) => surfer.setOptions(colourOptions(next)),
    destroy() {
      surfer.destroy();
      host.remove();
    },
  };
}

function colourOptions({ plain, strong, cursor }: ThemeColours) {
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
