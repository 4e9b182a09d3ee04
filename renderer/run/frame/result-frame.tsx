import type { ReactNode } from 'react';
import { isFinished } from '../../../shared/is-finished.ts';
import { type RunView, replyOf } from '../../../shared/run-view.ts';
import { inspectRun } from '../../lib/layout.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { InspectIcon } from '../../ui/icons/actions.tsx';
import styles from './result-frame.module.css';
import { RunFigures } from './run-figures.tsx';
import { RunStatusMark } from './run-status.tsx';

interface ResultFrameProps {
  view: RunView;
  /** Figures of this operation, in place of the tokens and times of a text run. */
  figures?: ReactNode;
  actions?: ReactNode;
  /** Undefined while the form has something to mend. */
  onRetry: (() => void) | undefined;
  children: ReactNode;
}

/** What came of a run: how it went, the result itself, and what was odd about it. */
export function ResultFrame({ view, figures, actions, onRetry, children }: ResultFrameProps) {
  return (
    <section className={styles.result} aria-label="Result" aria-busy={!isFinished(view.status)}>
      <div className={styles.head}>
        <RunStatusMark status={view.status} />
        <span className={styles.figures}>{figures ?? <RunFigures run={view} />}</span>
        {actions}
        <IconButton
          size="small"
          label="Inspect"
          icon={<InspectIcon size={14} />}
          onClick={() => inspectRun(view.id)}
        />
      </div>
      <div className={styles.content}>
        {children}
        {view.error !== null && (
          <ErrorAlert error={view.error} {...(onRetry !== undefined && { onRetry })} />
        )}
        {replyOf(view).warnings.map((warning) => (
          <p key={warning} className={styles.warning}>
            {warning}
          </p>
        ))}
      </div>
    </section>
  );
}
