import { type CSSProperties, type KeyboardEvent, memo, useMemo } from 'react';
import { assertNever } from '../../../shared/assert-never.ts';
import { formatLength } from '../../lib/format-quantity.ts';
import type { AlignedPart, AlignedRow } from '../../run/compare/metrics/aligned-rows.ts';
import type {
  SpokenStretch,
  TimedTranscript,
  TimeSource,
} from '../../run/compare/metrics/transcript-alignment.ts';
import { useGrowingCount } from '../../run/compare/use-growing-count.ts';
import { classNames } from '../../ui/class-names.ts';
import { useRovingList } from '../../ui/roving-list.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './aligned-transcripts.module.css';

export interface ComparedTranscript extends TimedTranscript {
  id: string;
  name: string;
}

interface AlignedWordsProps {
  baseName: string;
  transcripts: readonly ComparedTranscript[];
  rows: readonly AlignedRow[];
  onlyDiffering: boolean;
  onPlay: ((transcriptId: string, startSeconds: number, endSeconds: number) => void) | undefined;
}

interface Place {
  key: string;
  row: number;
  cell: number;
  difference: Difference;
}

const BLOCK_ROWS = 20;

/** Left and Right move between differences, Up and Down stay in one transcript, and Enter plays. */
export function AlignedWords(props: AlignedWordsProps) {
  const { baseName, transcripts, onlyDiffering, onPlay } = props;
  const rows = useMemo(
    () => (onlyDiffering ? props.rows.filter(({ cells }) => cells.some(isDifferent)) : props.rows),
    [props.rows, onlyDiffering],
  );
  const places = useMemo(() => getPlaces(rows), [rows]);
  const drawn = useGrowingCount(Math.ceil(rows.length / BLOCK_ROWS));
  const roving = useRovingList({
    keys: useMemo(() => places.map(({ key }) => key), [places]),
    currentKey: null,
    getItemText: (index) => {
      const { text = '', expected = '' } = places[index]?.difference ?? {};
      return `${text} ${expected}`;
    },
    scrollTo: (index) => drawn.reach(Math.floor((places[index]?.row ?? 0) / BLOCK_ROWS)),
  });
  const stop = places[roving.stop];

  function onKeyDown(event: KeyboardEvent): void {
    const next = getNextPlace(places, roving.stop, event.key);
    if (next === null || event.ctrlKey || event.metaKey || event.altKey) {
      roving.listProps.onKeyDown(event);
      return;
    }
    event.preventDefault();
    roving.moveTo(next);
  }

  if (rows.length === 0)
    return <p className={classNames(styles.hint, 'row-8')}>The transcripts are identical.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard can't scroll it.
    <section className={styles.scroller} aria-label="Differences" tabIndex={0}>
      <div className={styles.head} style={getColumns(transcripts.length)}>
        {[baseName, ...transcripts.map(({ name }) => name)].map((name, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two transcripts may have the same name
          <p key={at}>{name}</p>
        ))}
      </div>
      <ul {...roving.listProps} onKeyDown={onKeyDown}>
        {rows.slice(0, drawn.count * BLOCK_ROWS).map((row, at) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never reorder
            key={at}
            row={row}
            at={at}
            transcripts={transcripts}
            stopKey={stop?.row === at ? stop.key : null}
            onPlay={onPlay}
          />
        ))}
      </ul>
    </section>
  );
}

const COLUMN_WIDTH = 220;

function getColumns(transcriptCount: number): CSSProperties {
  const count = transcriptCount + 1;
  return {
    gridTemplateColumns: `repeat(${count}, minmax(0, 1fr))`,
    minWidth: count * COLUMN_WIDTH,
  };
}

function isDifferent(cell: readonly AlignedPart[]): boolean {
  return cell.some(({ kind }) => kind !== 'same');
}

/** Returns the differences in reading order: by row, then by transcript. */
function getPlaces(rows: readonly AlignedRow[]): Place[] {
  return rows.flatMap(({ cells }, row) =>
    cells.flatMap((parts, cell) =>
      parts.flatMap((part, at) =>
        part.kind === 'same' ? [] : [{ key: getKey(row, cell, at), row, cell, difference: part }],
      ),
    ),
  );
}

function getKey(row: number, cell: number, part: number): string {
  return `${row}.${cell}.${part}`;
}

/** Returns the index of the difference to focus, or null if the key doesn't move focus. */
function getNextPlace(places: readonly Place[], from: number, key: string): number | null {
  const across = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (across !== undefined) return from + across;
  const down = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (down === undefined) return null;
  const cell = places[from]?.cell;
  for (let at = from + down; at >= 0 && at < places.length; at += down) {
    if (places[at]?.cell === cell) return at;
  }
  return from;
}

interface RowProps {
  row: AlignedRow;
  at: number;
  transcripts: readonly ComparedTranscript[];
  /** Null if the Tab stop is in another row. */
  stopKey: string | null;
  onPlay: AlignedWordsProps['onPlay'];
}

const Row = memo(function Row({ row, at, transcripts, stopKey, onPlay }: RowProps) {
  return (
    <li className={styles.row} style={getColumns(transcripts.length)}>
      <p className={styles.text} dir="auto">
        {row.base}
      </p>
      {transcripts.map(({ id, durationSeconds }, cell) => (
        <p key={id} className={styles.text} dir="auto">
          {(row.cells[cell] ?? []).map((part, index) => {
            const key = getKey(at, cell, index);
            return part.kind === 'same' ? (
              <SameText key={key} part={part} />
            ) : (
              <DifferingText
                key={key}
                name={key}
                part={part}
                durationSeconds={durationSeconds}
                isStop={key === stopKey}
                onPlay={onPlay && ((start, end) => onPlay(id, start, end))}
              />
            );
          })}
        </p>
      ))}
    </li>
  );
});

function SameText({ part: { text, isApart } }: { part: AlignedPart }) {
  return isApart ? ` ${text}` : text;
}

interface DifferingTextProps {
  part: Difference;
  name: string;
  durationSeconds: number | null;
  isStop: boolean;
  onPlay: ((startSeconds: number, endSeconds: number) => void) | undefined;
}

function DifferingText({ part, name, durationSeconds, isStop, onPlay }: DifferingTextProps) {
  const { kind, expected, text, stretch, isApart } = part;
  const words = describeDifference(part);
  const played =
    stretch !== null && onPlay !== undefined ? describePlayback(stretch, durationSeconds) : null;

  function play(): void {
    if (stretch === null) return;
    const { startSeconds, endSeconds } = getPlaybackRange(stretch, durationSeconds);
    onPlay?.(startSeconds, endSeconds);
  }

  return (
    <>
      {isApart && ' '}
      <Tooltip text={played === null ? words : `${words} · ${played}`}>
        <button
          type="button"
          data-row={name}
          tabIndex={isStop ? 0 : -1}
          aria-label={words}
          aria-description={played ?? undefined}
          aria-disabled={played === null || undefined}
          className={classNames(styles.difference, styles[kind])}
          onClick={play}
        >
          {kind === 'deleted' ? (
            <del>{expected}</del>
          ) : kind === 'inserted' ? (
            <ins>{text}</ins>
          ) : (
            text
          )}
        </button>
      </Tooltip>
    </>
  );
}

export type Difference = Exclude<AlignedPart, { kind: 'same' }>;

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

/** Extra seconds to play before and after, so that whole words are audible. */
const margins: Record<TimeSource, number> = { word: 0.15, segment: 0, position: 1 };

/** Returns the range to play, in seconds from the start of the recording. */
export function getPlaybackRange(
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
  const { startSeconds, endSeconds } = getPlaybackRange(stretch, durationSeconds);
  const times = `Play ${formatLength(startSeconds)} – ${formatLength(endSeconds)}`;
  switch (stretch.source) {
    case 'word':
      return times;
    case 'segment':
      return `${times}. Plays the whole segment (no word timestamps).`;
    case 'position':
      return `${times}. Estimated position (no timestamps).`;
    default:
      return assertNever(stretch.source);
  }
}
