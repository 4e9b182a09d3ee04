import { type ReactNode, type Ref, useRef } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { isFinished, type RunSummary } from '../../../shared/run.ts';
import { inspectRun } from '../../lib/layout.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { InspectIcon } from '../../ui/icons/actions.tsx';
import { NoResult } from './no-result.tsx';
import styles from './result-frame.module.css';
import { CostFigure, type FiguresRun, RunFigures } from './run-figures.tsx';
import { RunLiveness } from './run-liveness.tsx';
import { RunStatusMark } from './run-status.tsx';
import { useMinVisibleHeight } from './use-least-shown.ts';

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
