import { useEffect, useMemo, useRef } from 'react';
import type { MediaPeaks } from '../../../shared/media-peaks.ts';
import type { AudioRegion } from './audio-player.tsx';
import type { TimeListener } from './sound.ts';
import { type ThemeColours, themeColours, watchTheme } from './theme-colours.ts';
import styles from './waveform.module.css';
import { barsOf, referenceLoudness, type Stretch, segmentLines } from './waveform-scale.ts';

interface WaveformProps {
  /** Null: only the line that is played along. */
  peaks: MediaPeaks | null;
  view: Stretch;
  regions: readonly AudioRegion[];
  activeRegion: number | null;
  subscribe: (listener: TimeListener) => () => void;
  /** Seconds, for the first drawing. */
  at: () => number;
}

const BAR_PIXELS = 2;
const STEP_PIXELS = 3;

/** The outline of a sound with what was heard of it; only drawn, it takes no input. */
export function Waveform(props: WaveformProps) {
  const { peaks, regions, activeRegion, subscribe, at } = props;
  const { from, span } = props.view;
  const canvas = useRef<HTMLCanvasElement>(null);
  const reference = useMemo(() => (peaks === null ? 1 : referenceLoudness(peaks)), [peaks]);

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d') ?? null;
    if (element === null || context === null) return;
    let colours = themeColours(element);
    let seconds = at();
    let frame = 0;
    const drawSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const drawing = { element, context, colours, seconds, view: { from, span } };
        draw(drawing, { peaks, regions, activeRegion, reference });
      });
    };
    const endings = [
      subscribe((now) => {
        seconds = now;
        drawSoon();
      }),
      watchTheme(() => {
        colours = themeColours(element);
        drawSoon();
      }),
    ];
    const observer = new ResizeObserver(drawSoon);
    observer.observe(element);
    drawSoon();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      for (const end of endings) end();
    };
  }, [peaks, reference, regions, activeRegion, subscribe, at, from, span]);

  return (
    <div aria-hidden="true" className={styles.waveform}>
      <canvas ref={canvas} className={styles.canvas} />
    </div>
  );
}

interface Drawing {
  element: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
  colours: ThemeColours;
  seconds: number;
  view: Stretch;
}

type Drawn = Pick<WaveformProps, 'peaks' | 'regions' | 'activeRegion'> & { reference: number };

function draw({ element, context, colours, seconds, view }: Drawing, drawn: Drawn): void {
  const { clientWidth: width, clientHeight: height } = element;
  element.width = width * devicePixelRatio;
  element.height = height * devicePixelRatio;
  context.scale(devicePixelRatio, devicePixelRatio);
  const { plain, strong, cursor } = colours;
  const xOf = (at: number) => (view.span > 0 ? ((at - view.from) / view.span) * width : 0);
  const now = xOf(seconds);

  const active = drawn.regions[drawn.activeRegion ?? -1];
  if (active !== undefined) {
    context.fillStyle = strong;
    context.globalAlpha = 0.1;
    context.fillRect(xOf(active.start), 0, xOf(active.end) - xOf(active.start), height);
    context.globalAlpha = 1;
  }
  context.fillStyle = plain;
  context.globalAlpha = 0.5;
  const starts = drawn.regions.map(({ start }) => start);
  for (const x of segmentLines(starts, view, width)) context.fillRect(Math.round(x), 0, 1, height);
  context.globalAlpha = 1;

  if (drawn.peaks === null) {
    context.fillRect(0, height / 2 - 1, width, 2);
    context.fillStyle = strong;
    context.fillRect(0, height / 2 - 1, Math.max(0, now), 2);
    return;
  }
  for (const { x, height: share } of barsOf(
    drawn.peaks,
    view,
    width,
    STEP_PIXELS,
    drawn.reference,
  )) {
    const bar = Math.max(1, share * (height - 4));
    context.fillStyle = x < now ? strong : plain;
    context.fillRect(x, (height - bar) / 2, BAR_PIXELS, bar);
  }
  context.fillStyle = cursor;
  if (seconds > 0) context.fillRect(now, 0, 1, height);
}
