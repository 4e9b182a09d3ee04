import type { RunView } from '../../../shared/run-view.ts';
import { formatBytes, formatDuration } from '../../lib/format-quantity.ts';

export function TranscriptionFigures({ view }: { view: RunView<'transcription'> }) {
  const { language, durationSeconds, upload, format } = view.state;
  const took =
    view.finishedAt === null || view.startedAt === null ? null : view.finishedAt - view.startedAt;
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
      {durationSeconds !== null && <span>Audio {durationSeconds.toFixed(1)} s</span>}
      {took !== null && <span>Total {formatDuration(took)}</span>}
    </>
  );
}
