import {
  type ComponentPropsWithoutRef,
  type CSSProperties,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './embeddings.module.css';
import { formatScore, getHeat, type ShownMatrix } from './measures.ts';

const CELL_WIDTH = 60;
const CELL_HEIGHT = 28;
const NAME_WIDTH = 180;
/** Cells rendered outside the view. */
const BUFFER = 4;

/** Renders only the visible cells; a column's button sorts the rows by that input. */
export function SimilarityTable({ matrix, order, names }: ShownMatrix) {
  const scroller = useRef<HTMLElement>(null);
  const range = useVisibleCells(scroller);
  const [sortedBy, setSortedBy] = useState<number | null>(null);
  const count = order.length;
  const rows = useMemo(() => {
    if (sortedBy === null) return order;
    const score = (row: number) => matrix.scores[row * count + sortedBy] ?? 0;
    return order.toSorted((first, second) => score(second) - score(first));
  }, [matrix, order, sortedBy, count]);
  const columns = order.slice(range.left, range.right);
  const size: CSSProperties = {
    width: NAME_WIDTH + count * CELL_WIDTH,
    height: (count + 1) * CELL_HEIGHT,
  };
  const getName = (position: number) => {
    const row = matrix.rows[position] ?? 0;
    return `${row + 1} · ${names[row] ?? ''}`;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard can't scroll it.
    <section ref={scroller} className={styles.scroller} aria-label="Similarity table" tabIndex={0}>
      {/* biome-ignore lint/a11y/useSemanticElements: most cells aren't rendered. */}
      <div
        role="table"
        aria-label="Similarities"
        aria-rowcount={count + 1}
        aria-colcount={count + 1}
        className={styles.grid}
        style={size}
      >
        <Part role="row" aria-rowindex={1} className={styles.headRow}>
          <Part role="columnheader" aria-colindex={1} className={styles.corner}>
            Input
          </Part>
          {columns.map((position, at) => (
            <Part
              key={position}
              role="columnheader"
              aria-colindex={range.left + at + 2}
              aria-sort={sortedBy === position ? 'descending' : 'none'}
              style={{ left: NAME_WIDTH + (range.left + at) * CELL_WIDTH }}
              className={styles.headCell}
            >
              <Tooltip text={getName(position)}>
                <button
                  type="button"
                  className={styles.sort}
                  aria-label={`Sort by similarity to input ${(matrix.rows[position] ?? 0) + 1}`}
                  onClick={() => setSortedBy(sortedBy === position ? null : position)}
                >
                  {(matrix.rows[position] ?? 0) + 1}
                  {sortedBy === position && <span aria-hidden="true">↓</span>}
                </button>
              </Tooltip>
            </Part>
          ))}
        </Part>
        {rows.slice(range.top, range.bottom).map((position, at) => (
          <Part
            key={position}
            role="row"
            aria-rowindex={range.top + at + 2}
            className={styles.gridRow}
            style={{ top: (range.top + at + 1) * CELL_HEIGHT }}
          >
            <Part role="rowheader" aria-colindex={1} className={styles.nameCell} dir="auto">
              {getName(position)}
            </Part>
            {columns.map((other, place) => {
              const score = matrix.scores[position * count + other] ?? 0;
              const percent = Math.round(45 * getHeat(score, matrix));
              return (
                <Part
                  key={other}
                  role="cell"
                  aria-colindex={range.left + place + 2}
                  className={styles.cell}
                  style={{
                    left: NAME_WIDTH + (range.left + place) * CELL_WIDTH,
                    background: `color-mix(in oklab, var(--accent-fill) ${percent}%, transparent)`,
                  }}
                >
                  {formatScore(score)}
                </Part>
              );
            })}
          </Part>
        ))}
      </div>
    </section>
  );
}

interface PartProps extends ComponentPropsWithoutRef<'div'> {
  role: 'row' | 'columnheader' | 'rowheader' | 'cell';
}

/** Uses a div, because table elements don't work if most cells aren't rendered. */
function Part(props: PartProps) {
  return <div {...props} />;
}

interface VisibleCells {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

function useVisibleCells(scroller: RefObject<HTMLElement | null>): VisibleCells {
  const [range, setRange] = useState<VisibleCells>({ top: 0, bottom: 24, left: 0, right: 12 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = () => {
      const [top, bottom] = cover(element.scrollTop, element.clientHeight, CELL_HEIGHT);
      const [left, right] = cover(element.scrollLeft, element.clientWidth, CELL_WIDTH);
      const next = { top, bottom, left, right };
      const isSame = (last: VisibleCells) =>
        last.top === top && last.bottom === bottom && last.left === left && last.right === right;
      setRange((last) => (isSame(last) ? last : next));
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

function cover(scrolled: number, visible: number, size: number): [from: number, to: number] {
  const first = Math.floor(scrolled / size / BUFFER) * BUFFER;
  return [Math.max(0, first - BUFFER), first + Math.ceil(visible / size) + 2 * BUFFER];
}
