import { useEffect, useRef } from 'react';
import type { MediaPeaks } from '../../../shared/media-peaks.ts';
import { classNames } from '../../ui/class-names.ts';
import { drawWaveform } from './draw-waveform.ts';
import { themeColours, watchTheme } from './theme-colours.ts';
import type { Ticker } from './ticker.ts';
import styles from './waveform.module.css';

export interface WaveformProps {
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
