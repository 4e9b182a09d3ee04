import type { ListedComparison } from '../../../shared/comparison.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { formatClock, pluralize } from '../../lib/format-quantity.ts';
import { panelLabel } from '../../lib/panels.ts';
import styles from '../../run/list/run-list.module.css';
import { type StatusLabel, StatusMark } from '../../ui/status-mark.tsx';

interface ComparisonRowProps {
  comparison: ListedComparison;
  /** Its newest run that matches. */
  run: RunSummary;
}

/** A comparison in the lines of a run: what was compared, when, and how its requests have gone. */
export function ComparisonRow({ comparison, run }: ComparisonRowProps) {
  return (
    <>
      <span className={styles.line}>
        <span className={styles.heading}>{panelLabel(run.operation)}</span>
        <span className={styles.detail}>Comparison</span>
        <time className={styles.time} dateTime={new Date(run.createdAt).toISOString()}>
          {formatClock(run.createdAt, Date.now())}
        </time>
      </span>
      <span className={styles.preview}>{comparison.title}</span>
      <span className={styles.line}>
        <StatusMark {...getStatus(comparison)} />
        <span className={styles.detail}>{getDetail(comparison)}</span>
      </span>
    </>
  );
}

function getStatus(comparison: ListedComparison): StatusLabel {
  const { running, unsent, succeeded, failed, stopped } = comparison;
  if (running > 0) return { label: 'Running', tone: 'active' };
  if (unsent > 0) return { label: 'Not finished', tone: 'quiet' };
  if (failed === 0 && stopped > 0) return { label: 'Stopped', tone: 'quiet' };
  if (failed === 0) return { label: 'Succeeded', tone: 'success' };
  return succeeded === 0
    ? { label: 'Failed', tone: 'danger' }
    : { label: `${pluralize(failed, 'failed', 'failed')}`, tone: 'warning' };
}

function getDetail({ requests, succeeded, failed }: ListedComparison): string {
  const all = pluralize(requests, 'request');
  return failed === 0 && succeeded === requests ? all : `${succeeded} of ${all} succeeded`;
}
