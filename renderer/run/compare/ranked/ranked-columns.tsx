import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { useRovingList } from '../../../ui/roving-list.ts';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { type RelevanceLabel, readRelevanceLabel } from '../metrics/rank-metrics.ts';
import {
  buildLinePath,
  type DrawnRange,
  GAP_WIDTH,
  type RankedList,
  RESULT_HEIGHT,
  rankByIndex,
} from './rank-lines.ts';
import styles from './ranked-lists.module.css';
import type { LabelsByIndex } from './relevance-labels.ts';
import { createScoreFormat, describeMovement } from './score-format.ts';

const MIN_LIST_WIDTH = 290;

interface RankedColumnsProps {
  lists: readonly RankedList[];
  baseId: string;
  labels: LabelsByIndex;
  activeIndex: number | null;
  onActive: (index: number | null) => void;
  onLabel: (index: number, label: RelevanceLabel | null) => void;
}

export function RankedColumns(props: RankedColumnsProps) {
  const { lists, baseId, activeIndex } = props;
  const scroller = useRef<HTMLElement>(null);
  const range = useDrawnRange(scroller);
  const places = useMemo(() => lists.map(rankByIndex), [lists]);
  const basePlaces = places[lists.findIndex(({ id }) => id === baseId)];
  const columns: CSSProperties = {
    gridTemplateColumns: lists
      .map(() => `minmax(${MIN_LIST_WIDTH}px, 1fr)`)
      .join(` ${GAP_WIDTH}px `),
    minWidth: lists.length * MIN_LIST_WIDTH + (lists.length - 1) * GAP_WIDTH,
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard can't scroll it.
    <section ref={scroller} className={styles.scroller} aria-label="Ranked lists" tabIndex={0}>
      <div className={styles.columns} style={columns}>
        {lists.map((list, at) => (
          <ListColumn
            key={list.id}
            {...props}
            list={list}
            column={2 * at + 1}
            basePlaces={list.id === baseId ? null : (basePlaces ?? null)}
            range={range}
            scroller={scroller}
          />
        ))}
        {lists.slice(1).map((list, at) => (
          <Lines
            key={list.id}
            left={places[at]}
            right={places[at + 1]}
            column={2 * at + 2}
            range={range}
            activeIndex={activeIndex}
          />
        ))}
      </div>
    </section>
  );
}

interface ListColumnProps extends RankedColumnsProps {
  list: RankedList;
  /** The grid column, counted from 1. */
  column: number;
  /** Null if `list` is the base list. */
  basePlaces: ReadonlyMap<number, number> | null;
  range: DrawnRange;
  scroller: RefObject<HTMLElement | null>;
}

/** Renders a list with one Tab stop; 0 to 3 label a document, and Delete removes the label. */
function ListColumn(props: ListColumnProps) {
  const { list, column, basePlaces, range, scroller, labels, activeIndex } = props;
  const { results } = list;
  const format = useMemo(
    () => createScoreFormat(results.map(({ score }) => ({ relevanceScore: score }))),
    [results],
  );
  const roving = useRovingList({
    keys: useMemo(() => results.map((_, place) => String(place)), [results]),
    currentKey: null,
    getItemText: (place) => results[place]?.text ?? '',
    scrollTo: (place) => scrollToPlace(scroller.current, place),
  });

  function onKeyDown(event: KeyboardEvent): void {
    const index = results[roving.stop]?.index ?? null;
    const label = getKeyLabel(event.key);
    if (label === undefined || index === null || event.ctrlKey || event.metaKey || event.altKey) {
      roving.listProps.onKeyDown(event);
      return;
    }
    event.preventDefault();
    props.onLabel(index, label);
  }

  // Use one click handler for the whole list, so memoized results don't need their own.
  function onClick({ target }: MouseEvent): void {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-label]') : null;
    const place = button?.closest<HTMLElement>('[data-row]')?.dataset.row;
    const index = results[Number(place)]?.index ?? null;
    const label = readRelevanceLabel(button?.dataset.label ?? '');
    if (index === null || label === undefined) return;
    props.onLabel(index, labels[index] === label ? null : label);
  }

  const drawn = getDrawnPlaces(range, roving.stop, results.length);
  return (
    <>
      <h2 className={classNames(styles.head, 'truncate')} style={{ gridColumn: column }}>
        {list.name}
      </h2>
      <ul
        className={styles.list}
        aria-label={list.name}
        style={{ gridColumn: column, height: results.length * RESULT_HEIGHT }}
        {...roving.listProps}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        {drawn.map((place) => {
          const { index = null, score = null, text = null, problem = null } = results[place] ?? {};
          return (
            <RankedResult
              key={place}
              place={place}
              index={index}
              problem={problem}
              text={text}
              scoreText={score === null ? null : format(score)}
              movedUp={getMovedUp(index, place, basePlaces)}
              label={index === null ? undefined : labels[index]}
              isActive={index !== null && index === activeIndex}
              tabIndex={roving.getTabIndex(place)}
              onActive={props.onActive}
            />
          );
        })}
      </ul>
    </>
  );
}

const labelNames: readonly { label: RelevanceLabel; name: string }[] = [
  { label: 0, name: 'Not relevant' },
  { label: 1, name: 'Related' },
  { label: 2, name: 'Relevant' },
  { label: 3, name: 'Exact answer' },
];

interface RankedResultProps {
  /** The position in the list, counted from 0. */
  place: number;
  index: number | null;
  problem: string | null;
  scoreText: string | null;
  text: string | null;
  /** Places gained compared with the base list; null if unknown. */
  movedUp: number | null;
  label: RelevanceLabel | undefined;
  isActive: boolean;
  tabIndex: 0 | -1;
  onActive: (index: number | null) => void;
}

const RankedResult = memo(function RankedResult(props: RankedResultProps) {
  const { place, index, problem, scoreText, text, movedUp, label, isActive, tabIndex, onActive } =
    props;
  return (
    <li
      data-row={place}
      className={classNames(styles.result, isActive && styles.activeResult)}
      style={{ top: place * RESULT_HEIGHT, height: RESULT_HEIGHT }}
      onPointerEnter={() => onActive(index)}
      onFocus={() => onActive(index)}
    >
      <button
        type="button"
        tabIndex={tabIndex}
        className={styles.document}
        onClick={() => onActive(index)}
      >
        <span className={classNames(styles.facts, 'row-8 caption tabular')}>
          <span className={styles.rank}>{place + 1}</span>
          {index !== null && <span>Document {index + 1}</span>}
          {problem !== null && <span className={styles.problemText}>{problem}</span>}
          {movedUp !== null && movedUp !== 0 && (
            <span className={movedUp > 0 ? styles.up : styles.down}>
              <span aria-hidden="true">
                {movedUp > 0 ? '↑' : '↓'}
                {Math.abs(movedUp)}
              </span>
              <span className="visually-hidden">{describeMovement(movedUp)}</span>
            </span>
          )}
          {scoreText !== null && <span className={styles.score}>{scoreText}</span>}
          {label !== undefined && <span className="visually-hidden">labeled {label}</span>}
        </span>
        <span className={styles.text} dir="auto">
          {text ?? 'The text of this document isn’t available.'}
        </span>
      </button>
      {index !== null && (
        <span className={styles.labels}>
          {labelNames.map((one) => (
            <Tooltip key={one.label} text={one.name} shortcut={String(one.label)}>
              <button
                type="button"
                data-label={one.label}
                tabIndex={-1}
                aria-pressed={label === one.label}
                aria-label={`Label document ${index + 1} as ${one.label}: ${one.name}`}
                className={styles.label}
              >
                {one.label}
              </button>
            </Tooltip>
          ))}
        </span>
      )}
    </li>
  );
});

/** Includes the Tab stop even if it's outside the range. */
function getDrawnPlaces({ from, to }: DrawnRange, stop: number, count: number): number[] {
  const end = Math.min(to, count);
  const places = Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at);
  if (stop < count && (stop < from || stop >= end)) places.push(stop);
  return places;
}

function getMovedUp(
  index: number | null,
  place: number,
  basePlaces: ReadonlyMap<number, number> | null,
): number | null {
  const before = index === null ? undefined : basePlaces?.get(index);
  return before === undefined ? null : before - place;
}

/** Returns the label for a key: null removes the label, and undefined leaves it unchanged. */
function getKeyLabel(key: string): RelevanceLabel | null | undefined {
  return key === 'Delete' || key === 'Backspace' ? null : readRelevanceLabel(key);
}

interface LinesProps {
  left: ReadonlyMap<number, number> | undefined;
  right: ReadonlyMap<number, number> | undefined;
  column: number;
  range: DrawnRange;
  activeIndex: number | null;
}

function Lines({ left, right, column, range, activeIndex }: LinesProps) {
  const path = useMemo(
    () => (left && right ? buildLinePath(left, right, range) : ''),
    [left, right, range],
  );
  return (
    <svg
      className={styles.lines}
      style={{ gridColumn: column }}
      width={GAP_WIDTH}
      aria-hidden="true"
    >
      <path d={path} className={styles.line} />
      {activeIndex !== null && left && right && (
        <path d={buildLinePath(left, right, range, activeIndex)} className={styles.activeLine} />
      )}
    </svg>
  );
}

/** `BUFFER` results are rendered outside the view, and the range changes every `STEP` results. */
const BUFFER = 8;
const STEP = 4;

function useDrawnRange(scroller: RefObject<HTMLElement | null>): DrawnRange {
  const [range, setRange] = useState<DrawnRange>({ from: 0, to: 3 * BUFFER });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = () => {
      const first = Math.floor(element.scrollTop / RESULT_HEIGHT / STEP) * STEP;
      const seen = Math.ceil(element.clientHeight / RESULT_HEIGHT);
      const next = { from: Math.max(0, first - BUFFER), to: first + seen + STEP + BUFFER };
      setRange((last) => (last.from === next.from && last.to === next.to ? last : next));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller]);
  return range;
}

/** The height in pixels of the sticky row with the lists' names. */
const HEAD_HEIGHT = 32;

function scrollToPlace(scroller: HTMLElement | null, place: number): void {
  if (scroller === null) return;
  const top = place * RESULT_HEIGHT;
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop) scroller.scrollTop = top;
  else if (top + RESULT_HEIGHT + HEAD_HEIGHT > scrollTop + clientHeight) {
    scroller.scrollTop = top + RESULT_HEIGHT + HEAD_HEIGHT - clientHeight;
  }
}
