import { VList } from 'virtua';
import type { TranscriptSegment } from '../../../shared/operations/transcription/state.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './transcript.module.css';

interface SegmentListProps {
  segments: readonly TranscriptSegment[];
  active: number;
  onSegment: (index: number) => void;
}

export function SegmentList({ segments, active, onSegment }: SegmentListProps) {
  return (
    <div className={styles.segments}>
      <VList bufferSize={1200}>
        {segments.map(({ start, end, text }, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: gateways number segments as they like
            key={index}
            type="button"
            className={classNames(styles.segment, index === active && styles.spoken)}
            aria-current={index === active || undefined}
            onClick={() => onSegment(index)}
          >
            <span className={styles.times}>
              {formatTime(start)} – {formatTime(end)}
            </span>
            <span>{text.trim()}</span>
          </button>
        ))}
      </VList>
    </div>
  );
}
