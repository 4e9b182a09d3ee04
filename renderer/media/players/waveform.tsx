import { useLayoutEffect, useMemo, useRef } from 'react';
import type { MediaPeaks } from '../../../shared/media-peaks.ts';
import { useWidth } from '../../ui/use-width.ts';
import styles from './audio-track.module.css';
import {
  drawWaveform,
  getLevels,
  type Stretch,
  segmentLines,
  watchTheme,
} from './draw-waveform.ts';
import type { TimeListener } from './playback.ts';

/** A region is a part of the audio in seconds, such as a transcript segment. */
export interface AudioRegion {
  start: number;
  end: number;
}

interface WaveformProps {
  /** Null shows only the position. */
  peaks: MediaPeaks | null;
  /** The duration is 0 if unknown. */
  durationSeconds: number;
  view: Stretch;
  regions: readonly AudioRegion[];
  activeRegion: number | null;
  subscribe: (listener: TimeListener) => () => void;
  /** Returns the position for the first drawing. */
  at: () => number;
}

const silence = new Float32Array(1000);

/** Draws peaks and the position, but handles no input. */
export function Waveform(props: WaveformProps) {
  const { peaks, view, subscribe, at } = props;
  const { from, span } = view;
  const durationSeconds = props.durationSeconds || 1;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [box, width] = useWidth();
  const levels = useMemo(() => (peaks?.max.length ? getLevels(peaks) : silence), [peaks]);

  // The layout effect draws in the same frame as the segment marks.
  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null || width === null) return;
    const draw = (seconds: number) =>
      drawWaveform(element, {
        ...{ levels, durationSeconds, seconds },
        view: { from, span: span || durationSeconds },
      });
    draw(at());
    const endings = [subscribe(draw), watchTheme(() => draw(at()))];
    return () => {
      for (const end of endings) end();
    };
  }, [levels, durationSeconds, from, span, width, subscribe, at]);

  return (
    <div ref={box} inert className={styles.waveform}>
      <SegmentMarks
        regions={props.regions}
        activeRegion={props.activeRegion}
        view={view}
        width={width ?? 0}
      />
      <canvas ref={canvas} className={styles.drawing} />
    </div>
  );
}

interface SegmentMarksProps extends Pick<WaveformProps, 'regions' | 'activeRegion' | 'view'> {
  width: number;
}

/** Renders only visible lines, because a transcript may have thousands of segments. */
function SegmentMarks({ regions, activeRegion, view, width }: SegmentMarksProps) {
  const starts = useMemo(() => regions.map(({ start }) => start), [regions]);
  const active = regions[activeRegion ?? -1];
  const getPercent = (seconds: number) => `${(seconds / view.span) * 100}%`;
  return (
    <>
      {active !== undefined && view.span > 0 && (
        <span
          className={styles.activeSegment}
          style={{
            left: getPercent(active.start - view.from),
            width: getPercent(active.end - active.start),
          }}
        />
      )}
      {segmentLines(starts, view, width).map((x) => (
        <span key={x} className={styles.segmentLine} style={{ left: Math.round(x) }} />
      ))}
    </>
  );
}
