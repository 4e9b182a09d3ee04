import type { RunView } from '../../../shared/run-view.ts';
import { formatBytes, formatDuration } from '../../lib/format-quantity.ts';

/** Time to the first byte, size, length and how long it took. */
export function SpeechFigures({ view }: { view: RunView<'speech'> }) {
  const { media, firstByteAtMs } = view.state;
  const took =
    view.finishedAt === null || view.startedAt === null ? null : view.finishedAt - view.startedAt;
  return (
    <>
      {firstByteAtMs !== null && <span>First byte {formatDuration(firstByteAtMs)}</span>}
      {media !== null && <span>Size {formatBytes(media.sizeBytes)}</span>}
      {media?.durationSeconds != null && <span>Length {media.durationSeconds.toFixed(1)} s</span>}
      {took !== null && <span>Total {formatDuration(took)}</span>}
    </>
  );
}
