import { useEffect, useRef, useState } from 'react';
import { Meter } from '../../ui/progress.tsx';
import { watchTheme } from '../../ui/watch-theme.ts';
import { readThemeColors } from '../players/draw-waveform.ts';
import { BAR_PIXELS, GAP_PIXELS } from '../players/waveform-scale.ts';
import type { Recorder } from './recorder.ts';
import styles from './recorder-controls.module.css';

/** Quieter input is considered noise. */
const FLOOR_DECIBELS = -60;

export function LevelMeter({ recorder }: { recorder: Pick<Recorder, 'onLevel'> }) {
  const [shown, setShown] = useState(FLOOR_DECIBELS);
  useEffect(
    () =>
      recorder.onLevel((peak) => {
        const decibels = peak > 0 ? 20 * Math.log10(peak) : FLOOR_DECIBELS;
        // The level falls slowly, so that it's easy to follow.
        setShown((before) => Math.max(FLOOR_DECIBELS, decibels, before - 3));
      }),
    [recorder],
  );
  return <Meter label="Input level" min={FLOOR_DECIBELS} max={0} high={-3} value={shown} />;
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
  const { plain, strong } = readThemeColors(element);
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
