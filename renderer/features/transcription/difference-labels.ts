/** The label of a difference between two transcripts, and the part of the recording it plays. */
import { assertNever } from '../../../shared/assert-never.ts';
import { formatLength } from '../../lib/format-quantity.ts';
import type { AlignedPart } from '../../run/compare/metrics/aligned-rows.ts';
import type { SpokenStretch, TimeSource } from '../../run/compare/metrics/transcript-alignment.ts';

export type Difference = Exclude<AlignedPart, { kind: 'same' }>;

/** For screen readers. */
export function describeDifference({ kind, expected, text }: Difference): string {
  switch (kind) {
    case 'substituted':
      return `substituted: ${expected} → ${text}`;
    case 'deleted':
      return `deleted: ${expected}`;
    case 'inserted':
      return `inserted: ${text}`;
    default:
      return assertNever(kind);
  }
}

/** Seconds before and after, so that a whole word is audible. */
const margins: Record<TimeSource, number> = { word: 0.15, segment: 0, position: 1 };

/** The part to play, in seconds of the recording. */
export function playbackRange(
  { startSeconds, endSeconds, source }: SpokenStretch,
  durationSeconds: number | null,
): { startSeconds: number; endSeconds: number } {
  const margin = margins[source];
  return {
    startSeconds: Math.max(0, startSeconds - margin),
    endSeconds: Math.min(durationSeconds ?? Number.POSITIVE_INFINITY, endSeconds + margin),
  };
}

export function describePlayback(stretch: SpokenStretch, durationSeconds: number | null): string {
  const { startSeconds, endSeconds } = playbackRange(stretch, durationSeconds);
  const times = `Play ${formatLength(startSeconds)} – ${formatLength(endSeconds)}`;
  switch (stretch.source) {
    case 'word':
      return times;
    case 'segment':
      return `${times}. The whole segment: this transcript has no word timestamps.`;
    case 'position':
      return `${times}. Estimated from the position in the text: this transcript has no timestamps.`;
    default:
      return assertNever(stretch.source);
  }
}
