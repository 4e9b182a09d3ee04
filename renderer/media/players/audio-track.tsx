import type { KeyboardEvent } from 'react';
import type { MediaPeaks } from '../../../shared/media-peaks.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { classNames } from '../../ui/class-names.ts';
import type { AudioRegion } from './audio-player.tsx';
import styles from './audio-track.module.css';
import type { Playback } from './use-playback.ts';
import { Waveform } from './waveform.tsx';

export interface AudioTrackProps {
  title: string;
  playback: Playback;
  durationSeconds: number | null;
  growing: boolean;
  peaks: MediaPeaks | null;
  regions: readonly AudioRegion[];
  activeRegion: number | null;
  onRegionClick: ((index: number) => void) | undefined;
}

/** The waveform with its regions, under a slider that the eye does not see. */
export function AudioTrack({
  title,
  playback,
  durationSeconds,
  growing,
  peaks,
  regions,
  activeRegion,
  onRegionClick,
}: AudioTrackProps) {
  const { seconds, seek } = playback;
  const length = durationSeconds ?? 0;
  const share = (at: number) => (length > 0 ? `${(at / length) * 100}%` : '0%');

  function onKeyDown(event: KeyboardEvent): void {
    const target = keyTarget(event.key, seconds, length);
    if (target === null) return;
    event.preventDefault();
    seek(target);
  }

  return (
    <div className={styles.track}>
      {peaks !== null ? (
        <Waveform peaks={peaks} ticker={playback} />
      ) : (
        <div className={styles.plain}>
          <span
            className={classNames(styles.heard, growing && length === 0 && styles.endless)}
            style={length === 0 ? undefined : { width: share(seconds) }}
          />
        </div>
      )}
      {regions.map(({ start, end, label }, index) => (
        <span
          key={`${start}-${end}-${label ?? ''}`}
          aria-hidden="true"
          className={classNames(styles.region, index === activeRegion && styles.active)}
          style={{ left: share(start), width: share(Math.max(0, end - start)) }}
        />
      ))}
      <input
        type="range"
        className={styles.position}
        aria-label={`Position in ${title}`}
        aria-valuetext={`${formatTime(seconds)} of ${length > 0 ? formatTime(length) : 'unknown'}`}
        min={0}
        max={length > 0 ? length : 1}
        step="any"
        value={Math.min(seconds, length > 0 ? length : 1)}
        disabled={length === 0}
        onKeyDown={onKeyDown}
        onChange={(event) => seek(event.target.valueAsNumber)}
        onPointerUp={(event) => {
          const at = event.currentTarget.valueAsNumber;
          const clicked = regions.findIndex(({ start, end }) => at >= start && at < end);
          if (clicked !== -1) onRegionClick?.(clicked);
        }}
      />
    </div>
  );
}

/** Steps that fit the length; null for other keys. */
function keyTarget(key: string, seconds: number, length: number): number | null {
  const step = Math.max(0.1, Math.min(5, length / 20));
  switch (key) {
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
