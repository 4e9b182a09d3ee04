import { useMemo } from 'react';
import { VList } from 'virtua';
import type { TranscriptionState } from '../../../shared/operations/transcription/state.ts';
import { SendTextMenu } from '../../media/hand-over/send-to.tsx';
import { saveBlob } from '../../media/players/download-button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DownloadIcon } from '../../ui/icons/media.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { SegmentList } from './segment-list.tsx';
import { getSpeakers, SpeakerBar, useSpeakerNames } from './speakers.tsx';
import { SpokenWords, wordsCoverText } from './spoken-words.tsx';
import styles from './transcript.module.css';
import { getFormats, writeTranscriptFile } from './transcript-files.ts';
import { showView, type TranscriptView, useTranscriptView } from './transcription-store.ts';

interface TranscriptProps {
  runId: string;
  state: TranscriptionState;
  fileStem: string;
  active: ActivePlaces;
  onPlayFrom: ((seconds: number) => void) | undefined;
}

/** The index is -1 if nothing is playing. */
export interface ActivePlaces {
  word: number;
  segment: number;
}

export function Transcript({ runId, state, fileStem, active, onPlayFrom }: TranscriptProps) {
  const chosen = useTranscriptView((store) => store.view);
  const { segments, words } = state;
  const names = useSpeakerNames(runId);
  const speakers = useMemo(() => getSpeakers(segments), [segments]);
  // Only segments show who speaks.
  const view = chosen ?? (speakers.length > 0 ? 'segments' : 'text');
  const playWord = (index: number) => onPlayFrom?.(words[index]?.start ?? 0);
  const playSegment = (index: number) => onPlayFrom?.(segments[index]?.start ?? 0);

  const text =
    // If some words have no times, show the whole text; it matters more than playing single words.
    wordsCoverText(words, state.text) ? (
      <SpokenWords words={words} active={active.word} onWord={playWord} />
    ) : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard can't scroll it.
      <section className={styles.scroller} tabIndex={0} aria-label="Transcript text">
        <p className={styles.text} dir="auto">
          {state.text}
        </p>
      </section>
    );
  return (
    <div className={styles.transcript}>
      <Tabs<TranscriptView>
        label="Transcript"
        value={view === 'segments' && segments.length === 0 ? 'text' : view}
        onValueChange={showView}
        trailing={<TranscriptActions runId={runId} state={state} fileStem={fileStem} />}
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
                    <>
                      {speakers.length > 0 && (
                        <SpeakerBar runId={runId} speakers={speakers} names={names} />
                      )}
                      <SegmentList
                        segments={segments}
                        names={names}
                        active={active.segment}
                        onSegment={playSegment}
                      />
                    </>
                  ),
                },
              ]),
          { value: 'raw', label: 'Raw', content: <RawResponse raw={state.raw} /> },
        ]}
      />
    </div>
  );
}

function TranscriptActions({
  runId,
  state,
  fileStem,
}: Pick<TranscriptProps, 'runId' | 'state' | 'fileStem'>) {
  const names = useSpeakerNames(runId);
  return (
    <>
      <SendTextMenu
        text={state.text}
        runId={runId}
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
        items={getFormats(state).map((format) => ({
          id: format,
          label: `Save as .${format}`,
          onSelect: () =>
            saveBlob(
              new Blob([writeTranscriptFile(state, format, names)]),
              `${fileStem}.${format}`,
            ),
        }))}
      />
    </>
  );
}

/** Renders each line as a row, because one huge text node would freeze the page. */
function RawResponse({ raw }: { raw: string }) {
  return (
    <div className={styles.raw}>
      <VList bufferSize={1200}>
        {raw.split('\n').map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never reorder
          <div key={index} className={classNames(styles.line, 'verbatim mono')}>
            {line === '' ? '\u00a0' : line}
          </div>
        ))}
      </VList>
    </div>
  );
}
