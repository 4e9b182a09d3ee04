import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MediaPeaks } from '../../../shared/media-peaks.ts';
import { useWidth } from '../../ui/use-width.ts';
import { watchTheme } from '../../ui/watch-theme.ts';
import styles from './audio-track.module.css';
import { type DrawnWaveform, drawWaveform, readThemeColors } from './draw-waveform.ts';
import type { TimeListener } from './playback.ts';
import { getLevels, listSegmentLines, type Stretch } from './waveform-scale.ts';

/** A range of the audio in seconds, such as a transcript segment. */
export interface AudioRegion {
  start: number;
  end: number;
}

interface WaveformProps {
  /** Null shows only the position. */
  peaks: MediaPeaks | null;
  /** 0 if the duration is unknown. */
  durationSeconds: number;
  view: Stretch;
  regions: readonly AudioRegion[];
  activeRegion: number | null;
  subscribe: (listener: TimeListener) => () => void;
  /** Returns the position for the initial drawing. */
  at: () => number;
}

const silence = new Float32Array(1000);

/** Draws peaks and the position; doesn't handle input. */
export function Waveform(props: WaveformProps) {
  const { peaks, view, subscribe, at } = props;
  const { from, span } = view;
  const durationSeconds = props.durationSeconds || 1;
  const place = useRef<HTMLDivElement>(null);
  const [box, width] = useWidth();
  const [drawn, setDrawn] = useState<DrawnWaveform | null>(null);
  const [failed, setFailed] = useState(false);
  const levels = useMemo(() => (peaks?.max.length ? getLevels(peaks) : silence), [peaks]);

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const endings: (() => void)[] = [];
    let ended = false;
    drawWaveform(element, readThemeColors(element)).then(
      (waveform) => {
        if (ended) {
          waveform.destroy();
          return;
        }
        endings.push(
          waveform.destroy,
          watchTheme(() => waveform.setColors(readThemeColors(element))),
        );
        setDrawn(waveform);
      },
      () => {
        // A failed load isn't fatal, because seeking works without wavesurfer.
        if (!ended) setFailed(true);
      },
    );
    return () => {
      ended = true;
      for (const end of endings) end();
    };
  }, []);
  // A layout effect draws in the same frame as the segment marks.
  useLayoutEffect(() => {
    if (width) drawn?.show({ levels, durationSeconds, view: { from, span }, width });
  }, [drawn, levels, durationSeconds, from, span, width]);
  useEffect(() => {
    drawn?.setTime(at());
    return drawn === null ? undefined : subscribe(drawn.setTime);
  }, [drawn, subscribe, at]);

  return (
    <div ref={box} inert className={styles.waveform}>
      <SegmentMarks
        regions={props.regions}
        activeRegion={props.activeRegion}
        view={view}
        width={width ?? 0}
      />
      <div ref={place} className={styles.drawing} />
      {failed && <span className={styles.plainLine} />}
    </div>
  );
}

interface SegmentMarksProps extends Pick<WaveformProps, 'regions' | 'activeRegion' | 'view'> {
  width: number;
}

/** Renders only visible lines; wavesurfer's Regions would create an element per segment. */
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
      {listSegmentLines(starts, view, width).map((x) => (
        <span key={x} className={styles.segmentLine} style={{ left: Math.round(x) }} />
      ))}
    </>
  );
}
