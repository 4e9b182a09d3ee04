import type { AppError } from '../../../shared/errors.ts';
import { isFinished } from '../../../shared/is-finished.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { referencedMedia } from '../../../shared/media-reference.ts';
import { timeWords, totalMs } from '../../../shared/run-times.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { formatBytes, formatDuration, formatLength } from '../../lib/format-quantity.ts';
import { useMedia } from '../../media/players/use-media.ts';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { tooltip } from '../../ui/tooltip.ts';
import { Transcript } from './transcript.tsx';
import styles from './transcription.module.css';

interface TranscriptionResultProps {
  runId: string;
  /** Undefined while the form has errors. */
  onRetry: ((mediaId: string) => void) | undefined;
}

export function TranscriptionResult({ runId, onRetry }: TranscriptionResultProps) {
  const view = useRun('transcription', runId);
  const recorded = useRecordedInput(runId);
  const mediaId = recorded === null ? null : audioOfRequest(recorded.request);
  const { media } = useMedia(mediaId);
  if (view === null || recorded === null) return null;
  const { upload, raw } = view.state;
  const sending = !isFinished(view.status) && upload !== null;

  return (
    <ResultFrame run={view} figures={<TranscriptionFigures view={view} />}>
      <ResultContent
        error={view.error}
        noResult={view.figures?.noResult ?? null}
        warnings={view.state.warnings}
        onRetry={onRetry && mediaId !== null ? () => onRetry(mediaId) : undefined}
      >
        {sending && (
          <progress
            className={styles.progress}
            aria-label="Sending the audio"
            value={upload.doneBytes}
            max={upload.totalBytes ?? undefined}
          />
        )}
        {raw !== '' && isTranscript(view.error) && <Transcript state={view.state} media={media} />}
      </ResultContent>
    </ResultFrame>
  );
}

/** An error body is no transcript; what arrived before a cut or Stop is. */
function isTranscript(error: AppError | null): boolean {
  return (
    error === null || ['stream-cut', 'cancelled', 'interrupted', 'timeout'].includes(error.kind)
  );
}

/** The audio that a recorded request names. */
export function audioOfRequest(request: JsonObject): string | null {
  return typeof request.file === 'string' ? referencedMedia(request.file) : null;
}

function TranscriptionFigures({ view }: { view: RunView<'transcription'> }) {
  const { language, durationSeconds, upload, format } = view.state;
  const took = totalMs(view);
  return (
    <>
      {took === null && upload !== null && (
        <span>
          Sent {formatBytes(upload.doneBytes)}
          {upload.totalBytes !== null && ` of ${formatBytes(upload.totalBytes)}`}
        </span>
      )}
      {format !== 'unknown' && <span>Format {format}</span>}
      {language !== null && <span>Language {language}</span>}
      {durationSeconds !== null && <span>Length {formatLength(durationSeconds)}</span>}
      {took !== null && <span {...tooltip(timeWords.total)}>Total {formatDuration(took)}</span>}
    </>
  );
}
