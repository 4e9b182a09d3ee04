import { useEffect, useRef } from 'react';
import type { MediaPeaks } from '../../../shared/media-peaks.ts';
import { classNames } from '../../ui/class-names.ts';
import type { Ticker } from './ticker.ts';
import styles from './waveform.module.css';

interface WaveformProps {
  peaks: MediaPeaks;
  ticker: Ticker;
  className?: string | undefined;
}

/** The outline of a sound with what was heard of it; only drawn, it takes no input. */
export function Waveform({ peaks, ticker, className }: WaveformProps) {
  const place = useRef<HTMLDivElement>(null);
  const { subscribe } = ticker;

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const endings: (() => void)[] = [];
    let seconds = 0;
    let ended = false;
    endings.push(subscribe((now) => (seconds = now)));
    void drawWaveform(element, peaks, themeColours(element)).then((drawn) => {
      if (ended) {
        drawn.destroy();
        return;
      }
      drawn.setTime(seconds);
      endings.push(
        drawn.destroy,
        subscribe(drawn.setTime),
        watchTheme(() => drawn.setColours(themeColours(element))),
      );
    });
    return () => {
      ended = true;
      for (const end of endings) end();
    };
  }, [peaks, subscribe]);

  return <div ref={place} aria-hidden="true" className={classNames(styles.waveform, className)} />;
}

interface DrawnWaveform {
  setTime(seconds: number): void;
  setColours(colours: ThemeColours): void;
  destroy(): void;
}

/** wavesurfer draws ready peaks; it neither fetches, decodes nor plays. Loaded when first needed. */
async function drawWaveform(
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

/** For canvases: what `color`, `outline-color` and `caret-color` of an element come to by now. */
export interface ThemeColours {
  plain: string;
  strong: string;
  cursor: string;
}

export function themeColours(element: Element): ThemeColours {
  const { color, outlineColor, caretColor } = getComputedStyle(element);
  return { plain: color, strong: outlineColor, cursor: caretColor };
}

/** Tells when the theme may have changed. Answers the end of it. */
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
