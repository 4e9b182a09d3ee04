import { useEffect, useRef } from 'react';
import { type ThemeColors, themeColors, watchTheme } from '../players/theme-colors.ts';
import styles from './live-waveform.module.css';
import type { Recorder } from './recorder.ts';

const BAR_PIXELS = 2;
const GAP_PIXELS = 1;

export interface LiveWaveformProps {
  recorder: Pick<Recorder, 'onLevel'>;
  paused: boolean;
}

/** The last seconds of the recording, newest at the right; frozen while paused. */
export function LiveWaveform({ recorder, paused }: LiveWaveformProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const levels = useRef<number[]>([]);

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d') ?? null;
    if (element === null || context === null) return;
    let colors = themeColors(element);
    let frame = 0;
    const drawSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => draw(element, context, levels.current, colors));
    };
    const endings = [
      recorder.onLevel((peak) => {
        if (paused) return;
        levels.current.push(peak);
        if (levels.current.length > 4000) levels.current.splice(0, 2000);
        drawSoon();
      }),
      watchTheme(() => {
        colors = themeColors(element);
        drawSoon();
      }),
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

function draw(
  element: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  levels: readonly number[],
  { plain, strong }: ThemeColors,
): void {
  const { clientWidth: width, clientHeight: height } = element;
  element.width = width * devicePixelRatio;
  element.height = height * devicePixelRatio;
  context.scale(devicePixelRatio, devicePixelRatio);
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
