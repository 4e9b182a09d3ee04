// Hand-written because Base UI's slider can't zoom and scroll its track.
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { MediaPeaks } from '../../../shared/media-peaks.ts';
import { formatLength, formatPosition, formatTime } from '../../lib/format-quantity.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './audio-track.module.css';
import type { Playback } from './playback.ts';
import { type AudioRegion, Waveform } from './waveform.tsx';

interface AudioTrackProps {
  title: string;
  playback: Playback;
  durationSeconds: number | null;
  peaks: MediaPeaks | null;
  regions: readonly AudioRegion[];
  activeRegion: number | null;
  /** `zoom` is the total duration divided by the visible duration. */
  zoom: number;
  onZoom: (zoom: number) => void;
  compact: boolean;
  /** Takes effect once the audio is seekable. */
  tabIndex: 0 | -1;
}

/** Renders the waveform as a slider, which scrolls when zoomed. */
export function AudioTrack(props: AudioTrackProps) {
  const { title, playback, durationSeconds, peaks, zoom, onZoom, compact, tabIndex } = props;
  const { seconds, seek, toggle, subscribe, position } = playback;
  const length = durationSeconds ?? 0;
  const scroller = useRef<HTMLDivElement>(null);
  const from = useScroll(scroller, { length, zoom, subscribe, position });
  const span = length / zoom;
  const [pointedAt, setPointedAt] = useState<PointedTime | null>(null);

  function getPointedTime(event: PointerEvent<HTMLElement>): PointedTime {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - left) / Math.max(1, width)));
    return { share, seconds: from + share * span };
  }

  function onPointer(event: PointerEvent<HTMLElement>, seeks: boolean): void {
    const at = getPointedTime(event);
    setPointedAt(at);
    if (seeks) seek(at.seconds);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // In a list, Up and Down move between rows, and Left at the start moves back in the row.
    const isLeaving =
      event.key === 'ArrowUp' ||
      event.key === 'ArrowDown' ||
      (event.key === 'ArrowLeft' && seconds === 0);
    if (tabIndex === -1 && isLeaving) return;
    const target = getKeyTarget(event, seconds, length);
    if (target !== null) seek(target);
    else if (event.key === ' ') toggle();
    else if (event.key === '+' || event.key === '=') onZoom(zoom * 2);
    else if (event.key === '-') onZoom(zoom / 2);
    else return;
    event.preventDefault();
  }

  return (
    <div className={classNames(styles.track, compact && styles.compact)}>
      <div ref={scroller} className={classNames(styles.scroller, zoom > 1 && styles.zoomed)}>
        <div className={styles.sheet} style={{ width: `${zoom * 100}%` }}>
          <div
            role="slider"
            tabIndex={length === 0 ? -1 : tabIndex}
            aria-label={`Position in ${title}`}
            aria-valuemin={0}
            aria-valuemax={length}
            aria-valuenow={Math.min(seconds, length)}
            aria-valuetext={`${formatPosition(seconds, durationSeconds)} of ${length > 0 ? formatLength(length) : 'unknown'}`}
            aria-disabled={length === 0 || undefined}
            className={styles.view}
            style={{ width: `${100 / zoom}%` }}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => {
              if (event.button !== 0 || length === 0) return;
              event.currentTarget.setPointerCapture(event.pointerId);
              onPointer(event, true);
            }}
            onPointerMove={(event) => {
              const held = event.currentTarget.hasPointerCapture(event.pointerId);
              if (length > 0) onPointer(event, held);
            }}
            onPointerLeave={() => setPointedAt(null)}
          >
            <Waveform
              peaks={peaks}
              durationSeconds={length}
              view={{ from, span }}
              regions={props.regions}
              activeRegion={props.activeRegion}
              subscribe={subscribe}
              at={position}
            />
            {pointedAt !== null && (
              <span
                aria-hidden="true"
                className={classNames(styles.pointed, pointedAt.share > 0.5 && styles.before)}
                style={{ left: `${pointedAt.share * 100}%` }}
              >
                <span className={styles.pointedTime}>
                  {formatPreciseTime(pointedAt.seconds, span)}
                </span>
              </span>
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

interface PointedTime {
  /** Fraction of the visible width, from 0 to 1. */
  share: number;
  seconds: number;
}

interface ScrollOptions extends Pick<Playback, 'subscribe' | 'position'> {
  length: number;
  zoom: number;
}

/** Returns the first visible second, keeping the position in view during playback. */
function useScroll(
  scroller: RefObject<HTMLDivElement | null>,
  { length, zoom, subscribe, position }: ScrollOptions,
): number {
  const [share, setShare] = useState(0);

  const show = useCallback(
    (seconds: number, place: number) => {
      const element = scroller.current;
      if (element === null || length === 0) return;
      element.scrollLeft = (seconds / length) * element.scrollWidth - place * element.clientWidth;
    },
    [scroller, length],
  );

  // Zoom around the position.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new zoom scrolls.
  useLayoutEffect(() => show(position(), 0.5), [zoom]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null || zoom === 1) {
      setShare(0);
      return;
    }
    const onScroll = () => setShare(element.scrollLeft / element.scrollWidth);
    const isInView = (seconds: number) => {
      const x = (seconds / length) * element.scrollWidth - element.scrollLeft;
      return x >= 0 && x <= element.clientWidth;
    };
    let last = position();
    const unsubscribe = subscribe((seconds) => {
      if (isInView(last) && !isInView(seconds)) show(seconds, 0.1);
      last = seconds;
    });
    onScroll();
    element.addEventListener('scroll', onScroll);
    return () => {
      unsubscribe();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, length, zoom, subscribe, position, show]);

  return zoom === 1 ? 0 : share * length;
}

const STEP_SECONDS = 5;

/** Returns the new position, with one-second steps if Shift is pressed; null for other keys. */
function getKeyTarget(event: KeyboardEvent, seconds: number, length: number): number | null {
  const step = event.shiftKey ? 1 : STEP_SECONDS;
  switch (event.key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(length, seconds + step);
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, seconds - step);
    case 'PageUp':
      return Math.min(length, seconds + length / 10);
    case 'PageDown':
      return Math.max(0, seconds - length / 10);
    case 'Home':
      return 0;
    case 'End':
      return length;
    default:
      return null;
  }
}

/** Shows tenths of a second if at most a minute is visible. */
function formatPreciseTime(seconds: number, span: number): string {
  return span > 60 ? formatTime(seconds) : formatLength(seconds);
}
