import { type ReactNode, type Ref, type RefObject, useEffect, useRef } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { isFinished, type RunSummary } from '../../../shared/run.ts';
import { inspectRun } from '../../lib/layout.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { InspectIcon } from '../../ui/icons/actions.tsx';
import { NoResult } from './empty-result.tsx';
import styles from './result-frame.module.css';
import { CostFigure, type FiguresRun, RunFigures } from './run-figures.tsx';
import { RunLiveness } from './run-liveness.tsx';
import { RunStatusMark } from './run-status.tsx';

interface ResultFrameProps {
  run: FiguresRun & Pick<RunSummary, 'id' | 'status'>;
  /** The state of the result, where the status of the run does not say it. */
  mark?: ReactNode;
  /** Figures of this operation, in place of the tokens and times of a text run. */
  figures?: ReactNode;
  actions?: ReactNode;
  /** It fills the remaining height, and its content scrolls. */
  fills?: boolean;
  children: ReactNode;
}

/** What came of a run: how it went, ways on from here, and the result itself. */
export function ResultFrame(props: ResultFrameProps) {
  const { run, mark, figures, actions, fills = false, children } = props;
  const result = useRef<HTMLElement>(null);
  useMinVisibleHeight(result);
  return (
    <section
      ref={result}
      className={classNames(styles.result, fills && styles.fills)}
      aria-label="Result"
      data-focus-fallback="run"
      aria-busy={!isFinished(run.status)}
    >
      <div className={styles.head}>
        {mark ??
          (isFinished(run.status) ? <RunStatusMark run={run} /> : <RunLiveness runId={run.id} />)}
        <span className={styles.figures}>
          {figures === undefined ? (
            <RunFigures run={run} />
          ) : (
            <>
              {figures}
              <CostFigure cost={run.cost} />
            </>
          )}
        </span>
        {actions}
        <IconButton
          size="small"
          label="Inspect"
          icon={<InspectIcon size={14} />}
          onClick={() => inspectRun(run.id)}
        />
      </div>
      {children}
    </section>
  );
}

interface ResultContentProps {
  ref?: Ref<HTMLDivElement>;
  error: AppError | null;
  /** Unix milliseconds. */
  failedAt: number | null;
  /** Why a run that ended well brought nothing usable; null if it did. */
  noResult: string | null;
  warnings: readonly string[];
  /** Undefined while the form has errors. */
  onRetry?: (() => void) | undefined;
  /** Further ways on from the error. */
  errorActions?: ReactNode;
  children?: ReactNode;
}

/** A result in a column, and what went wrong or was odd below it. */
export function ResultContent(props: ResultContentProps) {
  const { ref, error, failedAt, noResult, warnings, onRetry, errorActions, children } = props;
  return (
    <div ref={ref} className={styles.content}>
      {children}
      {noResult !== null && <NoResult reason={noResult} onRetry={onRetry} />}
      {error !== null && (
        <ErrorAlert error={error} failedAt={failedAt} onRetry={onRetry} actions={errorActions} />
      )}
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
    </div>
  );
}

/** Of the window's height, as layout.ts keeps it free beside the inspector. */
const minShare = 0.45;

/**
 * Scrolls the panel down just far enough that 45 % of the window's height, or all of the element, is in view: when it
 * appears and while it or the panel changes its height. Ends as soon as the user scrolls or types in the panel; never
 * scrolls up, and never moves the focus.
 */
export function useMinVisibleHeight(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = ref.current;
    const scroller = element === null ? null : getScroller(element);
    if (element === null || scroller === null) return;
    let ownTop = scroller.scrollTop;

    const show = () => {
      const hidden = hiddenBelow(element, scroller);
      if (hidden < 1) return;
      scroller.scrollTop += hidden;
      ownTop = scroller.scrollTop;
    };
    const end = () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', onScroll);
      scroller.removeEventListener('input', end);
    };
    const onScroll = () => {
      const mostTop = scroller.scrollHeight - scroller.clientHeight;
      // At its end because there is no more to scroll: the browser may have moved it there.
      const isOwn = Math.abs(scroller.scrollTop - ownTop) <= 1;
      if (!isOwn && scroller.scrollTop < mostTop - 1) end();
    };

    const observer = new ResizeObserver(show);
    // What is above it moves it down.
    for (const watched of [scroller, element, ...scroller.children]) observer.observe(watched);
    scroller.addEventListener('scroll', onScroll, { passive: true });
    scroller.addEventListener('input', end);
    return end;
  }, [ref]);
}

function getScroller(element: HTMLElement): HTMLElement | null {
  let outer = element.parentElement;
  while (outer !== null && !/auto|scroll/.test(getComputedStyle(outer).overflowY)) {
    outer = outer.parentElement;
  }
  return outer;
}

/** What is missing below of the height it should have in view, in px; its top stays in view. */
function hiddenBelow(element: HTMLElement, scroller: HTMLElement): number {
  const frame = scroller.getBoundingClientRect();
  const { top, height } = element.getBoundingClientRect();
  const wanted = Math.min(height, minShare * window.innerHeight);
  return Math.min(top + wanted - frame.bottom, top - frame.top);
}
