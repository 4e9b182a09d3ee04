import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type RelevanceLabel, readRelevanceLabel } from '../../run/compare/metrics/rank-quality.ts';
import { useRovingList } from '../../ui/roving-list.ts';
import {
  type DrawnRange,
  GAP_WIDTH,
  linePath,
  type RankedList,
  RESULT_HEIGHT,
  rankByIndex,
} from './rank-lines.ts';
import styles from './ranked-lists.module.css';
import { RankedResult } from './ranked-result.tsx';
import { scoreFormat } from './ranking.ts';
import type { LabelsByIndex } from './relevance-labels.ts';

/** Of a list, in pixels. */
const MIN_WIDTH = 290;

interface RankedColumnsProps {
  lists: readonly RankedList[];
  baseId: string;
  labels: LabelsByIndex;
  /** The document that is emphasized everywhere; null for none. */
  activeIndex: number | null;
  onActive: (index: number | null) => void;
  onLabel: (index: number, label: RelevanceLabel | null) => void;
}

/** The lists side by side, with a line from each document to its place in the next list. */
export function RankedColumns(props: RankedColumnsProps) {
  const { lists, baseId, activeIndex } = props;
  const scroller = useRef<HTMLElement>(null);
  const range = useDrawnRange(scroller);
  const places = useMemo(() => lists.map(rankByIndex), [lists]);
  const basePlaces = places[lists.findIndex(({ id }) => id === baseId)];
  const columns: CSSProperties = {
    gridTemplateColumns: lists.map(() => `minmax(${MIN_WIDTH}px, 1fr)`).join(` ${GAP_WIDTH}px `),
    minWidth: lists.length * MIN_WIDTH + (lists.length - 1) * GAP_WIDTH,
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: else the keyboard could not scroll it sideways.
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
  /** Of the grid, from 1. */
  column: number;
  /** Null for the list that the others are compared with. */
  basePlaces: ReadonlyMap<number, number> | null;
  range: DrawnRange;
  scroller: RefObject<HTMLElement | null>;
}

/** One Tab stop: Down and Up go through the list, 0 to 3 label a document, Delete takes the label away. */
function ListColumn(props: ListColumnProps) {
  const { list, column, basePlaces, range, scroller, labels, activeIndex } = props;
  const { results } = list;
  const format = useMemo(
    () => scoreFormat(results.map(({ score }) => ({ relevanceScore: score }))),
    [results],
  );
  const roving = useRovingList({
    keys: useMemo(() => results.map((_, place) => String(place)), [results]),
    currentKey: null,
    textOf: (place) => results[place]?.text ?? '',
    scrollTo: (place) => scrollToPlace(scroller.current, place),
  });

  function onKeyDown(event: KeyboardEvent): void {
    const index = results[roving.stop]?.index ?? null;
    const label = labelOfKey(event.key);
    if (label === undefined || index === null || event.ctrlKey || event.metaKey || event.altKey) {
      roving.listProps.onKeyDown(event);
      return;
    }
    event.preventDefault();
    props.onLabel(index, label);
  }

  /** A result does not know what a press does, so that it is drawn again only where it changes. */
  function onClick({ target }: MouseEvent): void {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-label]') : null;
    const place = button?.closest<HTMLElement>('[data-row]')?.dataset.row;
    const index = results[Number(place)]?.index ?? null;
    const label = readRelevanceLabel(button?.dataset.label ?? '');
    if (index === null || label === undefined) return;
    props.onLabel(index, labels[index] === label ? null : label);
  }

  const drawn = drawnPlaces(range, roving.stop, results.length);
  return (
    <>
      <h2 className={styles.head} style={{ gridColumn: column }}>
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
              movedUp={movedUp(index, place, basePlaces)}
              label={index === null ? undefined : labels[index]}
              isActive={index !== null && index === activeIndex}
              tabIndex={roving.tabIndexOf(place)}
              onActive={props.onActive}
            />
          );
        })}
      </ul>
    </>
  );
}

/** Those in the range, and the one that Tab reaches. */
function drawnPlaces({ from, to }: DrawnRange, stop: number, count: number): number[] {
  const end = Math.min(to, count);
  const places = Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at);
  if (stop < count && (stop < from || stop >= end)) places.push(stop);
  return places;
}

/** From its place in the list that is compared with; null if it is not there. */
function movedUp(
  index: number | null,
  place: number,
  basePlaces: ReadonlyMap<number, number> | null,
): number | null {
  const before = index === null ? undefined : basePlaces?.get(index);
  return before === undefined ? null : before - place;
}

/** Null takes the label away, undefined is another key. */
function labelOfKey(key: string): RelevanceLabel | null | undefined {
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
    () => (left && right ? linePath(left, right, range) : ''),
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
        <path d={linePath(left, right, range, activeIndex)} className={styles.activeLine} />
      )}
    </svg>
  );
}

/** Results beyond what is seen that are drawn too, and after how many the range changes. */
const BUFFER = 8;
const STEP = 4;

/** Follows the scroller and its height. */
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

/** The names of the lists stay above the results. */
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
