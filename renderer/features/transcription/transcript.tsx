import { useRef, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import type { TranscriptionState } from '../../../shared/operations/transcription/state.ts';
import { AudioPlayer, type AudioPlayerHandle } from '../../media/players/audio-player.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { activeAt } from './active-at.ts';
import { RawReply } from './raw-reply.tsx';
import { SegmentList } from './segment-list.tsx';
import { SpokenWords } from './spoken-words.tsx';
import styles from './transcript.module.css';
import { TranscriptActions } from './transcript-actions.tsx';
import { type TranscriptView, useTranscription } from './transcription-store.ts';
import { wordsCoverText } from './words-cover-text.ts';

interface TranscriptProps {
  state: TranscriptionState;
  /** Null where the audio was removed meanwhile. */
  media: Media | null;
}

/** The text on its sound: a click is heard, what is spoken is marked. */
export function Transcript({ state, media }: TranscriptProps) {
  const player = useRef<AudioPlayerHandle>(null);
  const [active, setActive] = useState({ word: -1, segment: -1 });
  const view = useTranscription((store) => store.view);
  const { showView } = useTranscription.getState();
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
    if (segment) player.current?.playFrom(segment.start, segment.end);
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
          onRegionClick={hearSegment}
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
