import { useRef, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { createOutputStem } from '../../../shared/output-name.ts';
import { isFinished } from '../../../shared/run.ts';
import { getTotalMs, timingTooltips } from '../../../shared/run-times.ts';
import type { RunView } from '../../../shared/run-view.ts';
import {
  formatBytes,
  formatDuration,
  formatLength,
  formatTime,
} from '../../lib/format-quantity.ts';
import type { AudioPlayerHandle } from '../../media/players/audio-player.tsx';
import { getMediaTitle } from '../../media/players/describe-media.ts';
import { useMedia } from '../../media/players/use-media.ts';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { TextFigure } from '../../run/frame/run-figures.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { useNow } from '../../run/live/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Progress } from '../../ui/progress.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { AudioCard } from './audio-card.tsx';
import { SmallerCopyOffer } from './smaller-copy-offer.tsx';
import { findActiveIndex } from './spoken-words.tsx';
import { type ActivePlaces, Transcript } from './transcript.tsx';
import styles from './transcription.module.css';
import { getRequestAudio } from './transcription-request.ts';
import { replaceAudio } from './transcription-store.ts';

interface TranscriptionResultProps {
  runId: string;
  /** The ID of the audio that the next run transcribes. */
  chosenId: string | null;
  /** True if the panel shows a different file above the result. */
  hasChosen: boolean;
  onRetry: ((mediaId: string) => void) | undefined;
}

export function TranscriptionResult({
  runId,
  chosenId,
  hasChosen,
  onRetry,
}: TranscriptionResultProps) {
  const view = useRun('transcription', runId);
  const recorded = useRecordedInput(runId);
  const mediaId = recorded === null ? null : getRequestAudio(recorded.request);
  const { media } = useMedia(mediaId);
  const player = useRef<AudioPlayerHandle>(null);
  const [active, setActive] = useState<ActivePlaces>({ word: -1, segment: -1 });
  if (view === null || recorded === null) return null;
  const { raw, words, segments } = view.state;
  const isChosen = mediaId === chosenId;
  const hasTranscript = raw !== '' && isTranscript(view.error);

  function mark(seconds: number): void {
    const word = findActiveIndex(words, seconds);
    const segment = findActiveIndex(segments, seconds);
    setActive((old) => (old.word === word && old.segment === segment ? old : { word, segment }));
  }

  return (
    <div className={styles.result}>
      <ResultFrame run={view} figures={<TranscriptionFigures view={view} media={media} />}>
        <div className={classNames(styles.resultBody, 'stack-8')}>
          {!isChosen && media !== null && (
            <OtherAudio media={media} hasChosen={hasChosen} hasTranscript={hasTranscript} />
          )}
          {media !== null && (
            <AudioCard
              ref={player}
              media={media}
              compact={!isChosen}
              regions={segments}
              activeRegion={active.segment < 0 ? null : active.segment}
              onTimeUpdate={mark}
              onRemove={isChosen ? () => replaceAudio(null) : undefined}
            />
          )}
          <ResultContent
            error={view.error}
            failedAt={view.finishedAt}
            noResult={view.figures?.noResult ?? null}
            warnings={view.state.warnings}
            onRetry={onRetry && mediaId !== null ? () => onRetry(mediaId) : undefined}
          >
            {!isFinished(view.status) && raw === '' && <Underway view={view} />}
          </ResultContent>
          {isChosen && media !== null && view.error?.gateway?.status === 413 && (
            <SmallerCopyOffer media={media} isRefused />
          )}
          {hasTranscript && (
            <Transcript
              runId={runId}
              state={view.state}
              fileStem={createOutputStem(view.state.text, new Date(view.createdAt), 'transcript')}
              active={active}
              onPlayFrom={
                media === null ? undefined : (seconds) => player.current?.playFrom(seconds)
              }
            />
          )}
        </div>
      </ResultFrame>
    </div>
  );
}

interface OtherAudioProps {
  media: Media;
  hasChosen: boolean;
  hasTranscript: boolean;
}

function OtherAudio({ media, hasChosen, hasTranscript }: OtherAudioProps) {
  return (
    <p className={classNames(styles.other, 'wrap-8')}>
      <span>
        {hasTranscript ? 'This is the transcript of' : 'This request was for'} “
        {getMediaTitle(media)}”{hasChosen && ', not of the audio above'}.
      </span>
      <Button size="small" variant="quiet" onClick={() => replaceAudio(media.id)}>
        Use this audio
      </Button>
    </p>
  );
}

function Underway({ view }: { view: RunView<'transcription'> }) {
  const { upload, uploadedAtMs } = view.state;
  const now = useNow(500);
  if (upload === null) return null;
  if (uploadedAtMs === null) {
    return <Progress label="Uploading audio" value={upload.doneBytes} max={upload.totalBytes} />;
  }
  const seconds = (now - view.createdAt - uploadedAtMs) / 1000;
  return (
    <Waiting>
      Waiting for the transcript… <span className="tabular">{formatTime(seconds)}</span>
    </Waiting>
  );
}

/** Returns true if partial text is a transcript that was cut off or stopped, not an error body. */
function isTranscript(error: AppError | null): boolean {
  return (
    error === null || ['stream-cut', 'cancelled', 'interrupted', 'timeout'].includes(error.kind)
  );
}

interface TranscriptionFiguresProps {
  view: RunView<'transcription'>;
  media: Media | null;
}

function TranscriptionFigures({ view, media }: TranscriptionFiguresProps) {
  const { language, upload, format, requestedFormat } = view.state;
  // Some gateways add speakers to `verbose_json`.
  const isExtended = requestedFormat === 'verbose_json' && format === 'diarized_json';
  // Gateways round the duration, and the player shows the file's.
  const durationSeconds = media === null ? view.state.durationSeconds : null;
  const took = getTotalMs(view);
  return (
    <>
      {took === null && upload !== null && (
        <span>
          Uploaded {formatBytes(upload.doneBytes)}
          {upload.totalBytes !== null && ` of ${formatBytes(upload.totalBytes)}`}
        </span>
      )}
      {format !== 'unknown' && (
        <TextFigure label="Format" value={isExtended ? 'verbose_json with speakers' : format} />
      )}
      {language !== null && <TextFigure label="Language" value={language} />}
      {durationSeconds !== null && (
        <TextFigure label="Duration" value={formatLength(durationSeconds)} />
      )}
      {took !== null && (
        <TextFigure label="Total time" value={formatDuration(took)} help={timingTooltips.total} />
      )}
    </>
  );
}
