import { createContext, memo, type ReactNode, useContext, useMemo, useState } from 'react';
import { type Cell, type Comparison, getCellVariant } from '../../../shared/comparison.ts';
import { matchLoudness } from '../../../shared/loudness.ts';
import type { Media } from '../../../shared/media.ts';
import { isFinished, type RunSummary } from '../../../shared/run.ts';
import { getTotalMs } from '../../../shared/run-times.ts';
import { formatLength, pluralize } from '../../lib/format-quantity.ts';
import { useAttempt, useCappedAttempt } from '../../lib/use-attempt.ts';
import { AudioPlayer } from '../../media/players/audio-player.tsx';
import { formatName } from '../../media/players/describe-media.ts';
import { MediaFacts } from '../../media/players/media-details.tsx';
import {
  type ComparedCellProps,
  type ComparedResultsProps,
  type CompareFigure,
  type ComparePanel,
  createFirstOutputFigure,
  sizeFigure,
  totalFigure,
} from '../../run/compare/compare-panel.ts';
import { openComparison } from '../../run/compare/open-comparison.ts';
import { useForm } from '../../run/form/use-form.ts';
import { useRun, useRunViews } from '../../run/live/live-runs.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { filterTranscribable, getSpokenText, transcribeAll } from './chain-transcripts.ts';
import styles from './speech.module.css';
import { speechForm, useRawTake } from './speech-store.ts';
import { SpeechTranscript } from './speech-transcript.tsx';
import { useLoudness } from './use-loudness.ts';

interface SharedByCells extends Pick<ComparedResultsProps, 'comparison'> {
  /** The longest duration, which fills the width; null if none is known. */
  scaleSeconds: number | null;
  /** Maps media IDs to volumes; the default volume is 1. */
  volumes: Readonly<Record<string, number>>;
}

const SharedContext = createContext<SharedByCells | null>(null);

const noMedia: readonly string[] = [];

/** All players share a time scale and, optionally, the same loudness. */
function SpeechFrame({
  comparison,
  cells,
  columns,
  children,
}: ComparedResultsProps & { children: ReactNode }) {
  const [isMatched, setMatched] = useState(true);
  const shape = useForm(speechForm, ({ input }) => input);
  const { attempt, busy, error, runAnyway } = useCappedAttempt();
  const opening = useAttempt();
  const [transcriptsId, setTranscriptsId] = useState<string | null>(null);
  const { ids, raw } = useTakes(cells);
  const measured = useLoudness(isMatched ? ids : noMedia, raw, shape);
  const volumes = useMemo(() => {
    if (!isMatched) return {};
    const known = Object.entries(measured);
    const factors = matchLoudness(known.map(([, audio]) => audio));
    return Object.fromEntries(known.map(([id], at) => [id, factors[at] ?? 1]));
  }, [measured, isMatched]);
  const scaleSeconds = getMaxSeconds(cells);
  const shared = useMemo(
    () => ({ comparison, volumes, scaleSeconds }),
    [comparison, volumes, scaleSeconds],
  );
  const spoken = filterTranscribable(cells);
  return (
    <SharedContext value={shared}>
      <div className="wrap-12">
        <Tooltip text={matchHelp}>
          <span>
            <Switch label="Match loudness" checked={isMatched} onCheckedChange={setMatched} />
          </span>
        </Tooltip>
        <Button
          tooltip={transcribeHelp}
          size="small"
          busy={busy}
          disabledReason={spoken.length > 0 ? null : 'Nothing to transcribe yet.'}
          onClick={() =>
            void attempt(async (overCap) => {
              const spoken = { comparison, cells, columns };
              const sent = await transcribeAll(speechForm.id, spoken, overCap);
              if (sent !== null) setTranscriptsId(sent);
            })
          }
        >
          Transcribe all
        </Button>
        <span className={classNames(styles.loudness, 'caption tabular')}>
          {spoken.length > 0 && pluralize(spoken.length, 'request')}
        </span>
        {transcriptsId !== null && (
          <Button
            size="small"
            variant="quiet"
            busy={opening.busy}
            onClick={() => void opening.attempt(() => openComparison(transcriptsId))}
          >
            Open transcripts
          </Button>
        )}
      </div>
      {error !== null && <ErrorAlert compact error={error} onRetry={runAnyway} />}
      {opening.error !== null && <ErrorAlert compact error={opening.error} />}
      {children}
    </SharedContext>
  );
}

/** Returns the media IDs of the complete takes, and of those that are raw samples. */
function useTakes(cells: readonly Cell[]) {
  const views = useRunViews(
    'speech',
    useMemo(() => cells.flatMap(({ run }) => (run?.media.length ? [run.id] : [])), [cells]),
  );
  return useMemo(() => {
    const whole = views.flatMap(({ state: { media, receivedFormat } }) =>
      media?.complete ? [{ id: media.id, isRaw: receivedFormat === 'pcm' }] : [],
    );
    return {
      ids: whole.map(({ id }) => id),
      raw: new Set(whole.flatMap(({ id, isRaw }) => (isRaw ? [id] : []))),
    };
  }, [views]);
}

/** Returns the loudness of each take, once measured. */
function useSpeechFigures({ cells }: ComparedResultsProps): CompareFigure[] {
  const shape = useForm(speechForm, ({ input }) => input);
  const { ids, raw } = useTakes(cells);
  const measured = useLoudness(ids, raw, shape);
  return useMemo(
    () => [
      {
        id: 'loudness',
        label: 'Loudness',
        unit: 'LUFS',
        help: 'Integrated loudness (EBU R 128).',
        best: null,
        of: ({ media }) => measured[media[0]?.id ?? '']?.loudness ?? null,
        format: (value) => `${value.toFixed(1)} LUFS`,
      },
    ],
    [measured],
  );
}

const matchHelp = 'Plays every result at the loudness of the quietest one (EBU R 128).';
const transcribeHelp =
  'Transcribes every result using the Transcription panel’s settings and compares it with the text.';

function SpeechCell({ cell, run, column, title }: ComparedCellProps) {
  const view = useRun('speech', run.id);
  const shared = useContext(SharedContext);
  const media = view?.state.media ?? null;
  if (view === null || media === null) {
    return view === null || isFinished(view.status) ? null : (
      <Waiting>Waiting for first byte…</Waiting>
    );
  }
  return (
    <>
      <CellAudio
        media={media}
        title={`Speech of ${title}`}
        requestedFormat={view.state.requestedFormat}
        isRaw={view.state.receivedFormat === 'pcm'}
        volume={shared?.volumes[media.id] ?? 1}
        scaleSeconds={shared?.scaleSeconds ?? null}
      />
      {shared !== null && isFinished(run.status) && (
        <SpeechTranscript
          runId={run.id}
          text={getSpokenText(shared.comparison, cell)}
          isHidden={column.isHidden}
        />
      )}
    </>
  );
}

interface CellAudioProps {
  media: Media;
  title: string;
  requestedFormat: string | null;
  isRaw: boolean;
  volume: number;
  scaleSeconds: number | null;
}

/** Memoized because players are expensive to render. */
const CellAudio = memo(function CellAudio(props: CellAudioProps) {
  const { media, title, requestedFormat: getRequestedFormat, isRaw, volume, scaleSeconds } = props;
  const { shape } = useRawTake(isRaw ? media : null);
  return (
    <>
      <AudioPlayer
        media={media}
        title={title}
        pcm={isRaw ? shape : undefined}
        volume={volume}
        scaleSeconds={scaleSeconds}
      />
      {media.complete && (
        <MediaFacts media={media} requested={isRaw ? {} : { format: getRequestedFormat }} />
      )}
    </>
  );
});

/** Returns null until the first audio is complete. */
function getMaxSeconds(cells: readonly Cell[]): number | null {
  const lengths = cells.flatMap(({ run }) => (run === null ? [] : (getLengthSeconds(run) ?? [])));
  return lengths.length === 0 ? null : Math.max(...lengths);
}

function getLengthSeconds({ media }: RunSummary): number | null {
  return media[0]?.durationSeconds ?? null;
}

function getRequestedFormat(cell: Cell, comparison: Comparison): string | null {
  const variant = getCellVariant(comparison, cell);
  const row = comparison.rows.find(({ id }) => id === cell.rowId);
  const sent = { ...row?.request, ...variant?.request, ...variant?.extraBody };
  return typeof sent.response_format === 'string' ? sent.response_format : null;
}

export const speechComparePanel: ComparePanel = {
  figures: [
    createFirstOutputFigure('First byte'),
    totalFigure,
    {
      id: 'length',
      label: 'Duration',
      unit: 's',
      help: 'Audio duration.',
      best: null,
      of: getLengthSeconds,
      format: formatLength,
    },
    {
      id: 'factor',
      label: 'Real-time factor',
      revealsModel: true,
      help: 'Total time ÷ audio duration. Below 1 is faster than real time.',
      best: 'least',
      of: (run) => {
        const [total, length] = [getTotalMs(run), getLengthSeconds(run)];
        return total === null || length === null || length === 0 ? null : total / 1000 / length;
      },
      format: (value) => value.toFixed(2),
    },
    sizeFigure,
  ],
  facts: [
    {
      id: 'requested',
      label: 'Format requested',
      help: 'response_format of the request.',
      of: getRequestedFormat,
    },
    {
      id: 'received',
      label: 'Format received',
      help: 'Detected from the first bytes of the file.',
      of: ({ run }) => (run?.media[0] === undefined ? null : formatName(run.media[0].type)),
    },
  ],
  useFigures: useSpeechFigures,
  cellFigures: ['first', 'total', 'loudness', 'cost'],
  fitsRows: true,
  Frame: SpeechFrame,
  Result: SpeechCell,
};
