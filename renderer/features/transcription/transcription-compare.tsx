import { useMemo, useRef } from 'react';
import { isFinished } from '../../../shared/run.ts';
import type { AudioPlayerHandle } from '../../media/players/audio-player.tsx';
import { useMedia } from '../../media/players/use-media.ts';
import {
  type ComparedCellProps,
  type ComparedResultsProps,
  type ComparePanel,
  totalFigure,
} from '../../run/compare/compare-panel.ts';
import type { TimedPart } from '../../run/compare/metrics/transcript-alignment.ts';
import { useGrowingCount } from '../../run/compare/use-growing-count.ts';
import { useRun, useRunViews } from '../../run/live/live-runs.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { useNearViewport } from '../../ui/use-near-viewport.ts';
import { AlignedTranscripts } from './aligned-transcripts.tsx';
import { AudioCard } from './audio-card.tsx';
import { ReferenceText, useReference } from './reference-text.tsx';
import styles from './transcription.module.css';
import { useTranscriptionFigures } from './transcription-figures.ts';
import { getRequestAudio } from './transcription-request.ts';

function Alignments({ comparison, cells, ...props }: ComparedResultsProps) {
  const { rows } = comparison;
  const drawn = useGrowingCount(rows.length);
  return rows
    .slice(0, drawn.count)
    .map((row) => (
      <Alignment
        key={row.id}
        {...props}
        comparison={comparison}
        cells={cells.filter(({ rowId }) => rowId === row.id)}
        rowId={row.id}
        title={rows.length > 1 ? row.label : ''}
        mediaId={getRequestAudio(row.request)}
      />
    ));
}

interface AlignmentProps extends ComparedResultsProps {
  rowId: string;
  /** Empty if there is only one recording. */
  title: string;
  mediaId: string | null;
}

/** Mounts only near the viewport, because a comparison can have dozens of recordings. */
function Alignment({ title, ...recording }: AlignmentProps) {
  const frame = useRef<HTMLElement>(null);
  const isNear = useNearViewport(frame);
  return (
    <section
      ref={frame}
      aria-label={title === '' ? undefined : title}
      className={classNames(styles.alignment, !isNear && styles.far)}
    >
      {title !== '' && <h2 className="label">{title}</h2>}
      {isNear && <Recording {...recording} />}
    </section>
  );
}

function Recording(props: Omit<AlignmentProps, 'title'>) {
  const { comparison, notes, cells, columns, rowId, mediaId } = props;
  const { media } = useMedia(mediaId);
  const reference = useReference(comparison.id, rowId, notes.references[rowId] ?? null);
  const player = useRef<AudioPlayerHandle>(null);
  const joinedIds = cells.map(({ run }) => run?.id ?? '').join(' ');
  const runIds = useMemo(() => joinedIds.split(' ').filter((id) => id !== ''), [joinedIds]);
  const views = useRunViews('transcription', runIds);
  const transcripts = columns.flatMap(({ variant, title }) =>
    cells.flatMap((cell) => {
      const view = views.find(({ id }) => id === cell.run?.id);
      if (cell.variantId !== variant.id || view?.status !== 'succeeded') return [];
      const { text, words, segments, durationSeconds, soundSeconds } = view.state;
      const repeat = comparison.repeats > 1 ? [`repeat ${cell.repeat + 1}`] : [];
      return [
        {
          id: view.id,
          name: [title, ...repeat].join(' · '),
          text,
          words: toTimedParts(words.map(({ word, start, end }) => ({ text: word, start, end }))),
          segments: toTimedParts(segments),
          durationSeconds: soundSeconds ?? durationSeconds,
        },
      ];
    }),
  );
  return (
    <>
      {media !== null && <AudioCard ref={player} media={media} compact />}
      <ReferenceText
        place={`reference ${comparison.id} ${rowId}`}
        value={reference.value}
        problem={reference.problem}
        onValueChange={reference.onValueChange}
      />
      {reference.error !== null && <ErrorAlert compact error={reference.error} />}
      {transcripts.length > 0 && (
        <AlignedTranscripts
          transcripts={transcripts}
          reference={reference.scored}
          onPlay={
            media === null
              ? undefined
              : (_transcriptId, start, end) => player.current?.playStretch(start, end)
          }
        />
      )}
    </>
  );
}

function toTimedParts(parts: readonly { text: string; start: number; end: number }[]): TimedPart[] {
  return parts.map(({ text, start, end }) => ({ text, startSeconds: start, endSeconds: end }));
}

function TranscriptionCell({ run }: ComparedCellProps) {
  const view = useRun('transcription', run.id);
  // Finished transcripts appear in the alignment above.
  if (view === null || view.status === 'succeeded') return null;
  if (view.state.raw === '' && !isFinished(view.status)) {
    return <Waiting>Waiting for the transcript…</Waiting>;
  }
  return (
    <p className="verbatim" dir="auto">
      {view.state.text}
    </p>
  );
}

export const transcriptionComparePanel: ComparePanel = {
  figures: [totalFigure],
  useFigures: useTranscriptionFigures,
  Overview: Alignments,
  Result: TranscriptionCell,
  hasResultsInOverview: true,
};
