import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { isFinished } from '../../../shared/is-finished.ts';
import { api } from '../../lib/api.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import type { AudioPlayerHandle } from '../../media/players/audio-player.tsx';
import { useMedia } from '../../media/players/use-media.ts';
import type {
  ComparedCellProps,
  ComparedResultsProps,
  ComparePanel,
} from '../../run/compare/compare-panel.ts';
import { ComparisonView } from '../../run/compare/comparison-view.tsx';
import type { TimedPart } from '../../run/compare/metrics/token-times.ts';
import { totalFigure } from '../../run/compare/shared-figures.ts';
import type { Comparing } from '../../run/compare/use-comparing.ts';
import { useRun, useRuns } from '../../run/live/live-runs.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { AlignedTranscripts } from './aligned-transcripts.tsx';
import { ReferenceText } from './reference-text.tsx';
import { SoundCard } from './sound-card.tsx';
import styles from './transcription.module.css';
import { audioOfRequest } from './transcription-result.tsx';

interface TranscriptionCompareProps {
  compare: Comparing;
  /** Before the first comparison. */
  empty: ReactNode;
}

/** One recording through several models or settings. */
export function TranscriptionCompare(props: TranscriptionCompareProps) {
  return <ComparisonView {...props} panel={panel} />;
}

/** What was recorded, each with its transcripts by word. */
function Alignments({ comparison, ...props }: ComparedResultsProps) {
  return comparison.rows.map((row) => (
    <Alignment
      key={row.id}
      {...props}
      comparison={comparison}
      rowId={row.id}
      title={comparison.rows.length > 1 ? row.label : ''}
      mediaId={audioOfRequest(row.request)}
    />
  ));
}

interface AlignmentProps extends ComparedResultsProps {
  rowId: string;
  /** Empty where there is one recording. */
  title: string;
  mediaId: string | null;
}

function Alignment(props: AlignmentProps) {
  const { comparison, notes, cells, columns, rowId, title, mediaId } = props;
  const { media } = useMedia(mediaId);
  const player = useRef<AudioPlayerHandle>(null);
  const own = useMemo(
    () => cells.filter((cell) => cell.rowId === rowId && cell.run !== null),
    [cells, rowId],
  );
  const runIds = useMemo(() => own.flatMap(({ run }) => run?.id ?? []), [own]);
  const views = useRuns('transcription', runIds);
  const transcripts = columns.flatMap(({ variant, title: name }) =>
    own.flatMap((cell) => {
      const view = views.find(({ id }) => id === cell.run?.id);
      if (cell.variantId !== variant.id || view?.status !== 'succeeded') return [];
      const { text, words, segments, durationSeconds, soundSeconds } = view.state;
      const repeat = comparison.repeats > 1 ? [`repeat ${cell.repeat + 1}`] : [];
      return [
        {
          id: view.id,
          name: [name, ...repeat].join(' · '),
          text,
          words: timed(words.map(({ word, start, end }) => ({ text: word, start, end }))),
          segments: timed(segments),
          durationSeconds: soundSeconds ?? durationSeconds,
        },
      ];
    }),
  );
  return (
    <section aria-label={title === '' ? undefined : title} className={styles.alignment}>
      {title !== '' && <h2 className={styles.alignmentTitle}>{title}</h2>}
      {media !== null && <SoundCard ref={player} media={media} compact />}
      <Reference comparisonId={comparison.id} rowId={rowId} value={notes.references[rowId] ?? ''} />
      {transcripts.length > 0 && (
        <AlignedTranscripts
          transcripts={transcripts}
          reference={notes.references[rowId] ?? null}
          onPlay={
            media === null
              ? undefined
              : (_transcriptId, start, end) => player.current?.playStretch(start, end)
          }
        />
      )}
    </section>
  );
}

function timed(parts: readonly { text: string; start: number; end: number }[]): TimedPart[] {
  return parts.map(({ text, start, end }) => ({ text, startSeconds: start, endSeconds: end }));
}

const writtenAfterMs = 400;

interface ReferenceProps {
  comparisonId: string;
  rowId: string;
  /** As main has it. */
  value: string;
}

/** Kept with the comparison, written once the user pauses. */
function Reference({ comparisonId, rowId, value }: ReferenceProps) {
  /** What main does not have for sure. */
  const [typed, setTyped] = useState<string | null>(null);
  const { attempt, error } = useAttempt();
  const write = useEffectEvent(async () => {
    if (typed === null) return;
    const change = { kind: 'reference' as const, rowId, text: typed === '' ? null : typed };
    const isWritten = await attempt(() => api.comparisons.note({ id: comparisonId, change }));
    if (isWritten) setTyped((now) => (now === typed ? null : now));
  });
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => void write(), writtenAfterMs);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => () => void write(), []);
  return (
    <>
      <ReferenceText
        place={`reference ${comparisonId} ${rowId}`}
        value={typed ?? value}
        onValueChange={setTyped}
      />
      {error !== null && <ErrorAlert compact error={error} />}
    </>
  );
}

function TranscriptionCell({ run }: ComparedCellProps) {
  const view = useRun('transcription', run.id);
  if (view === null) return null;
  if (view.state.raw === '' && !isFinished(view.status)) {
    return (
      <p className={styles.waiting}>
        <Spinner /> Waiting for the transcript…
      </p>
    );
  }
  return <p className={styles.compared}>{view.state.text}</p>;
}

const panel: ComparePanel = {
  figures: [totalFigure],
  Overview: Alignments,
  Result: TranscriptionCell,
};
