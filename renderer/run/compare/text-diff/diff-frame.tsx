import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { formatCount } from '../../../lib/format-quantity.ts';
import { classNames } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/icons/status.tsx';
import styles from './text-diff.module.css';

export interface SharedDiffProps {
  names: readonly [string, string];
  /** Distinguishes several comparisons on a page; undefined if there's only one. */
  subject: string | undefined;
  layout: 'side-by-side' | 'inline';
  switches: ReactNode;
  /** True while the previous result is still shown. */
  pending: boolean;
}

interface DiffFrameProps extends SharedDiffProps {
  summary: string;
  count: number;
  describe: (index: number) => string;
  copyText: () => string;
  /** Renders a difference that hasn't been mounted yet. */
  onReach: (index: number) => void;
  drawnCount: number;
  /** The index of the selected difference; -1 if there's none. */
  children: (current: number) => ReactNode;
}

/** Shows the number of differences and lets the user step through them. */
export function DiffFrame(props: DiffFrameProps) {
  const { names, subject, layout, count, describe } = props;
  const between = `between ${names[0]} and ${names[1]}`;
  const steps = useDifferenceSteps(count, props.drawnCount, props.onReach);
  const { current } = steps;
  return (
    <section
      aria-label={
        subject === undefined ? `Differences ${between}` : `${subject}: differences ${between}`
      }
      aria-busy={props.pending}
      className={styles.diff}
      onKeyDown={steps.onKeyDown}
    >
      <div className={styles.bar}>
        <p className={styles.summary} aria-live="polite">
          {props.summary}
        </p>
        {props.switches}
        <div className={styles.steps}>
          <IconButton
            size="small"
            label="Previous difference"
            shortcut="P"
            icon={<ChevronLeftIcon size={14} />}
            disabled={count === 0}
            onClick={() => steps.go(-1)}
          />
          <span className={styles.place} aria-hidden="true">
            {current < 0 ? '–' : formatCount(current + 1)} / {formatCount(count)}
          </span>
          <IconButton
            size="small"
            label="Next difference"
            shortcut="N"
            icon={<ChevronRightIcon size={14} />}
            disabled={count === 0}
            onClick={() => steps.go(1)}
          />
          <CopyButton label="Copy differences as text" content={props.copyText} />
        </div>
      </div>
      <p className="visually-hidden" role="status">
        {current >= 0 &&
          `Difference ${formatCount(current + 1)} of ${formatCount(count)}: ${describe(current)}`}
      </p>
      <div className={classNames(styles.names, layout === 'inline' && styles.inlineNames)}>
        <p>
          <del className={styles.key}>{names[0]}</del>
        </p>
        <p>
          <ins className={styles.key}>{names[1]}</ins>
        </p>
      </div>
      <div ref={steps.root} className={classNames(styles.body, props.pending && styles.pending)}>
        {props.children(current)}
      </div>
    </section>
  );
}

interface DifferenceSteps {
  /** -1 before the first step. */
  current: number;
  go: (by: 1 | -1) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** The container of the elements with `data-change`. */
  root: RefObject<HTMLDivElement | null>;
}

/** Steps through `count` differences and wraps around. */
export function useDifferenceSteps(
  count: number,
  drawnCount: number,
  show: (index: number) => void,
): DifferenceSteps {
  const [reached, setReached] = useState(-1);
  const [moves, setMoves] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const shownMove = useRef(0);
  const current = Math.min(reached, count - 1);

  useEffect(() => {
    if (moves === shownMove.current) return undefined;
    const mark = root.current?.querySelector(`[data-change="${current}"]`);
    // Try again after more blocks have rendered.
    if (!mark || drawnCount === 0) return undefined;
    shownMove.current = moves;
    return showWhenLaidOut(mark);
  }, [moves, current, drawnCount]);

  function go(by: 1 | -1): void {
    if (count === 0) return;
    const next = current < 0 && by < 0 ? count - 1 : (current + by + count) % count;
    show(next);
    setReached(next);
    setMoves((before) => before + 1);
  }

  return {
    current,
    go,
    root,
    onKeyDown: (event) => {
      const by = { n: 1 as const, p: -1 as const }[event.key.toLowerCase()];
      if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.matches('input[type="text"], textarea')) {
        return;
      }
      event.preventDefault();
      go(by);
    },
  };
}

const framesToLayOut = 4;

/** Keeps scrolling for some frames, because blocks get their real height only near the viewport. */
function showWhenLaidOut(mark: Element): () => void {
  let frame = 0;
  let left = framesToLayOut;
  function show(): void {
    mark.scrollIntoView({ block: 'center' });
    left -= 1;
    if (left > 0) frame = requestAnimationFrame(show);
  }
  show();
  return () => cancelAnimationFrame(frame);
}
