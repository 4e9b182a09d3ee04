import type { RunSummary } from '../../../shared/run.ts';
import { timingTooltips, totalMs } from '../../../shared/run-times.ts';
import { formatClock, formatDuration } from '../../lib/format-quantity.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { RunStatusMark } from '../frame/run-status.tsx';
import styles from './run-list.module.css';

interface RunRowProps {
  run: RunSummary;
  /** Before the model. */
  heading?: string;
  /** The start of what was sent, in its own line. */
  preview?: string;
  /** Behind the status. */
  detail: string;
}

/** A run in two or three lines: what it was, when, and how it went. */
export function RunRow({ run, heading, preview, detail }: RunRowProps) {
  const total = totalMs(run);
  return (
    <>
      <span className={styles.line}>
        {heading !== undefined && <span className={styles.heading}>{heading}</span>}
        <span className={styles.model}>
          {run.model === '' && preview === undefined ? run.preview : run.model}
        </span>
        <time className={styles.time} dateTime={new Date(run.createdAt).toISOString()}>
          {formatClock(run.createdAt, Date.now())}
        </time>
      </span>
      {preview !== undefined && <span className={styles.preview}>{preview}</span>}
      <span className={styles.line}>
        <RunStatusMark run={run} />
        <span className={styles.detail}>{detail}</span>
        {total !== null && (
          <Tooltip text={`Total. ${timingTooltips.total}`}>
            <span className={styles.time}>{formatDuration(total)}</span>
          </Tooltip>
        )}
      </span>
    </>
  );
}
