import { type ReactNode, type Ref, type RefObject, useEffect, useRef } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { isFinished, type RunSummary } from '../../../shared/run.ts';
import { inspectRun } from '../../lib/layout.ts';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { InspectIcon } from '../../ui/icons/actions.tsx';
import { useFocusPassing } from '../../ui/pass-focus.ts';
import { AskedMarks } from './asked-marks.tsx';
import { NoResult } from './empty-result.tsx';
import styles from './result-frame.module.css';
import { RunError } from './run-error.tsx';
import { CostFigure, type FiguresRun, RunFigures } from './run-figures.tsx';
import { RunLiveness } from './run-liveness.tsx';
import { RunStatusMark } from './run-status.tsx';
import { UseSettings } from './use-settings.tsx';

interface ResultFrameProps {
  run: FiguresRun & Pick<RunSummary, 'id' | 'status' | 'conversationId'>;
  /** Replaces the run's status. */
  mark?: ReactNode;
  /** Replaces the token counts and times of a text run. */
  figures?: ReactNode;
  actions?: ReactNode;
  /** False if the run has no input that its panel could use again. */
  hasSettings?: boolean;
  /** Fills the remaining height and scrolls. */
  fills?: boolean;
  children: ReactNode;
}

export function ResultFrame(props: ResultFrameProps) {
  const { run, mark, figures, actions, hasSettings = true, fills = false, children } = props;
  const result = useRef<HTMLElement>(null);
  useMinVisibleHeight(result);
  return (
    <section
      ref={useFocusPassing(result)}
      className={classNames(styles.result, fills && styles.fills)}
      aria-label="Result"
      data-focus-fallback="run"
      aria-busy={!isFinished(run.status)}
    >
      <div className={styles.head}>
        <div className={styles.summary}>
          {mark ??
            (isFinished(run.status) ? <RunStatusMark run={run} /> : <RunLiveness runId={run.id} />)}
          <span className={styles.figures}>
            {figures === undefined ? (
              <RunFigures run={run} />
            ) : (
              <>
                {figures}
                <CostFigure run={run} />
                <AskedMarks findings={run.findings} />
              </>
            )}
          </span>
        </div>
        <div className={styles.actions}>
          {actions}
          <span className={styles.runActions}>
            {hasSettings && <UseSettings run={run} />}
            <IconButton
              size="small"
              label="Inspect"
              icon={<InspectIcon size={14} />}
              onClick={() => inspectRun(run.id)}
            />
          </span>
        </div>
      </div>
      {children}
    </section>
  );
}

interface ResultContentProps {
  ref?: Ref<HTMLDivElement>;
  error: AppError | null;
  failedAt: number | null;
  /** Why a successful run has no usable result; null if it has one. */
  noResult: string | null;
  noResultTitle?: string;
  warnings: readonly string[];
  /** Undefined if the form has errors. */
  onRetry?: (() => void) | undefined;
  errorActions?: ReactNode;
  children?: ReactNode;
}

/** Renders a result, followed by its errors and warnings. */
export function ResultContent(props: ResultContentProps) {
  const { ref, error, failedAt, noResult, warnings, onRetry, errorActions, children } = props;
  const title = props.noResultTitle;
  return (
    <div ref={ref} className={styles.content}>
      {children}
      {noResult !== null && <NoResult reason={noResult} title={title} onRetry={onRetry} />}
      {error !== null && (
        <RunError error={error} failedAt={failedAt} onRetry={onRetry} actions={errorActions} />
      )}
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
    </div>
  );
}

/** The fraction of the window height that layout.ts reserves above the inspector. */
const minShare = 0.45;

/** Scrolls until enough of the result is visible, or until the user scrolls or types. */
export function useMinVisibleHeight(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = ref.current;
    const scroller = element === null ? null : getScroller(element);
    if (element === null || scroller === null) return;
    let ownTop = scroller.scrollTop;

    const show = () => {
      const hidden = measureHiddenHeight(element, scroller);
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
      const maxScrollTop = scroller.scrollHeight - scroller.clientHeight;
      // The browser may have scrolled to the end by itself.
      const isOwn = Math.abs(scroller.scrollTop - ownTop) <= 1;
      if (!isOwn && scroller.scrollTop < maxScrollTop - 1) end();
    };

    const observer = new ResizeObserver(show);
    // Content above may grow and push the result down.
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

/** Returns how many pixels to scroll, limited so that the result's top stays visible. */
function measureHiddenHeight(element: HTMLElement, scroller: HTMLElement): number {
  const frame = scroller.getBoundingClientRect();
  const { top, height } = element.getBoundingClientRect();
  const wanted = Math.min(height, minShare * window.innerHeight);
  return Math.min(top + wanted - frame.bottom, top - frame.top);
}
