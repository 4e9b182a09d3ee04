import { useRef, useState } from 'react';
import { VList } from 'virtua';
import type { Media } from '../../../shared/media.ts';
import type {
  TranscriptionState,
  TranscriptSegment,
} from '../../../shared/operations/transcription/state.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { SendTextMenu } from '../../media/hand-over/send-to.tsx';
import { AudioPlayer, type AudioPlayerHandle } from '../../media/players/audio-player.tsx';
import { saveBlob } from '../../media/players/download-button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DownloadIcon } from '../../ui/icons/media.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { activeAt, SpokenWords, wordsCoverText } from './spoken-words.tsx';
import styles from './transcript.module.css';
import { formatsOf, transcriptFile } from './transcript-files.ts';
import { showView, type TranscriptView, useTranscriptView } from './transcription-store.ts';

interface TranscriptProps {
  state: TranscriptionState;
  /** Null where the audio was removed meanwhile. */
  media: Media | null;
}

/** The text on its sound: a click is heard, what is spoken is marked. */
export function Transcript({ state, media }: TranscriptProps) {
  const player = useRef<AudioPlayerHandle>(null);
  const [active, setActive] = useState({ word: -1, segment: -1 });
  const view = useTranscriptView((store) => store.view);
  const { segments, words } = state;

  function mark(seconds: number): void {
    const word = activeAt(words, seconds);
    const segment = activeAt(segments, seconds);
    setActive((old) => (old.word === word && old.segment === segment ? old : { word, segment }));
  }

  function hearWord(index: number): void {
    const word = words[index];
    if (word) player.current?.playFrom(word.start);
  }

  function hearSegment(index: number): void {
    const segment = segments[index];
    if (segment) player.current?.playFrom(segment.start);
  }

  const text =
    // Where some words have no times, the whole text matters more than hearing each word.
    wordsCoverText(words, state.text) ? (
      <SpokenWords words={words} active={active.word} onWord={hearWord} />
    ) : (
      <p className={styles.text}>{state.text}</p>
    );
  return (
    <div className={styles.transcript}>
      {media !== null && (
        <AudioPlayer
          ref={player}
          media={media}
          title="Audio"
          regions={segments}
          activeRegion={active.segment === -1 ? null : active.segment}
          onTimeUpdate={mark}
        />
      )}
      <Tabs<TranscriptView>
        label="Transcript"
        value={view === 'segments' && segments.length === 0 ? 'text' : view}
        onValueChange={showView}
        trailing={<TranscriptActions state={state} />}
        tabs={[
          { value: 'text', label: 'Text', content: text },
          ...(segments.length === 0
            ? []
            : [
                {
                  value: 'segments' as const,
                  label: 'Segments',
                  badge: segments.length,
                  content: (
                    <SegmentList
                      segments={segments}
                      active={active.segment}
                      onSegment={hearSegment}
                    />
                  ),
                },
              ]),
          { value: 'raw', label: 'Raw', content: <RawReply raw={state.raw} /> },
        ]}
      />
    </div>
  );
}

function TranscriptActions({ state }: { state: TranscriptionState }) {
  return (
    <>
      <SendTextMenu
        text={state.text}
        {...(state.segments.length > 0 && {
          documents: state.segments.map(({ text }) => text.trim()).join('\n'),
        })}
      />
      <CopyButton label="Copy text" content={() => state.text} />
      <Menu
        label="Export"
        icon={<DownloadIcon size={14} />}
        size="small"
        align="end"
        items={formatsOf(state).map((format) => ({
          id: format,
          label: `Save as .${format}`,
          onSelect: () =>
            saveBlob(new Blob([transcriptFile(state, format)]), `transcript.${format}`),
        }))}
      />
    </>
  );
}

interface SegmentListProps {
  segments: readonly TranscriptSegment[];
  active: number;
  onSegment: (index: number) => void;
}

function SegmentList({ segments, active, onSegment }: SegmentListProps) {
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

/** The reply as it came, a line a row: one huge text node would freeze the page. */
function RawReply({ raw }: { raw: string }) {
  return (
    <div className={styles.raw}>
      <VList bufferSize={1200}>
        {raw.split('\n').map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <div key={index} className={styles.line}>
            {line === '' ? '\u00a0' : line}
          </div>
        ))}
      </VList>
    </div>
  );
}
