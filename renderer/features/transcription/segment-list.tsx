import { useMemo, useRef } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { TranscriptSegment } from '../../../shared/operations/transcription/state.ts';
import { formatSpan } from '../../lib/format-quantity.ts';
import { classNames } from '../../ui/class-names.ts';
import { useRovingList } from '../../ui/roving-list.ts';
import { AutoScrollList, useFollow } from './followed-list.tsx';
import { getSpeakerName, getSpeakers, SpeakerName, type SpeakerNames } from './speakers.tsx';
import styles from './transcript.module.css';

interface SegmentListProps {
  segments: readonly TranscriptSegment[];
  names?: SpeakerNames;
  /** -1 means that no segment is playing. */
  active: number;
  onSegment: (index: number) => void;
}

/** Renders a list with one Tab stop: arrow keys move between segments, and Enter plays. */
export function SegmentList({ segments, names = {}, active, onSegment }: SegmentListProps) {
  const speakers = useMemo(() => getSpeakers(segments), [segments]);
  // One short segment is enough, so that the column stays aligned.
  const withTenths = useMemo(() => segments.some(({ start, end }) => end - start < 1), [segments]);
  const list = useRef<VListHandle>(null);
  const follow = useFollow(active, (index) =>
    list.current?.scrollToIndex(index, { align: 'center' }),
  );
  const roving = useRovingList({
    // Use the position as the key, because gateways number segments arbitrarily.
    keys: segments.map((_, index) => String(index)),
    currentKey: active < 0 ? null : String(active),
    getItemText: (index) => segments[index]?.text ?? '',
    scrollTo: (index) => list.current?.scrollToIndex(index, { align: 'nearest' }),
  });
  return (
    <AutoScrollList follow={follow} hasCurrent={active >= 0}>
      <VList
        ref={list}
        bufferSize={1200}
        className={styles.scroller}
        keepMounted={[roving.stop]}
        {...roving.listProps}
        {...follow.scrollProps}
        onKeyDown={(event) => {
          follow.scrollProps.onKeyDown(event);
          roving.listProps.onKeyDown(event);
        }}
      >
        {segments.map(({ start, end, text, speaker }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: gateways number segments arbitrarily
          <div key={index} data-row={index}>
            <button
              type="button"
              tabIndex={roving.getTabIndex(index)}
              className={classNames(
                styles.segment,
                'bare',
                speakers.length > 0 && styles.bySpeaker,
                index === active && styles.spoken,
              )}
              aria-current={index === active || undefined}
              onClick={() => {
                follow.resume();
                onSegment(index);
              }}
            >
              <span className={styles.times}>{formatSpan(start, end, withTenths)}</span>
              {speaker !== undefined && (
                <SpeakerName
                  name={getSpeakerName(speaker, names)}
                  index={speakers.indexOf(speaker)}
                />
              )}
              <span className={styles.segmentText}>{text.trim()}</span>
            </button>
          </div>
        ))}
      </VList>
    </AutoScrollList>
  );
}
