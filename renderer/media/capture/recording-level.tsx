import { useEffect, useRef } from 'react';
import { watchTheme } from '../../ui/watch-theme.ts';
import { themeColors } from '../players/draw-waveform.ts';
import { BAR_PIXELS, GAP_PIXELS } from '../players/waveform-scale.ts';
import type { Recorder } from './recorder.ts';
import styles from './recorder-controls.module.css';

/** Quieter input is considered noise. */
const FLOOR_DECIBELS = -60;

/** Updates the DOM directly, because the level changes 20 times per second. */
export function LevelMeter({ recorder }: { recorder: Pick<Recorder, 'onLevel'> }) {
  const meter = useRef<HTMLMeterElement>(null);

  useEffect(() => {
    let shown = FLOOR_DECIBELS;
    return recorder.onLevel((peak) => {
      const decibels = peak > 0 ? 20 * Math.log10(peak) : FLOOR_DECIBELS;
      // The level falls slowly, so that it's easy to follow.
      shown = Math.max(FLOOR_DECIBELS, decibels, shown - 3);
      if (meter.current !== null) meter.current.value = shown;
    });
  }, [recorder]);

  return (
    <meter
      ref={meter}
      className={styles.meter}
      aria-label="Input level"
      min={FLOOR_DECIBELS}
      max={0}
      high={-3}
      optimum={-20}
      value={FLOOR_DECIBELS}
    />
  );
}

export interface LiveWaveformProps {
  recorder: Pick<Recorder, 'onLevel'>;
  paused: boolean;
}

/** Shows the last few seconds, newest on the right; stops while paused. */
export function LiveWaveform({ recorder, paused }: LiveWaveformProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const levels = useRef<number[]>([]);

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    let frame = 0;
    const drawSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => draw(element, levels.current));
    };
    const endings = [
      recorder.onLevel((peak) => {
        if (paused) return;
        levels.current.push(peak);
        if (levels.current.length > 4000) levels.current.splice(0, 2000);
        drawSoon();
      }),
      watchTheme(drawSoon),
    ];
    const observer = new ResizeObserver(drawSoon);
    observer.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      for (const end of endings) end();
    };
  }, [recorder, paused]);

  return (
    <div aria-hidden="true">
      <canvas ref={canvas} className={styles.canvas} />
    </div>
  );
}

function draw(element: HTMLCanvasElement, levels: readonly number[]): void {
  const context = element.getContext('2d');
  if (context === null) return;
  const { clientWidth: width, clientHeight: height } = element;
  element.width = width * devicePixelRatio;
  element.height = height * devicePixelRatio;
  context.scale(devicePixelRatio, devicePixelRatio);
  const { plain, strong } = themeColors(element);
  context.fillStyle = plain;
  context.fillRect(0, height / 2 - 0.5, width, 1);
  context.fillStyle = strong;
  const step = BAR_PIXELS + GAP_PIXELS;
  const count = Math.min(levels.length, Math.floor(width / step));
  for (let back = 1; back <= count; back += 1) {
    const bar = Math.max(1, (levels[levels.length - back] ?? 0) * height);
    context.fillRect(width - back * step, (height - bar) / 2, BAR_PIXELS, bar);
  }
}
