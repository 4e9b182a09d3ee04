import type { ListedComparison } from '../../../shared/comparison.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { formatClock, formatCount, pluralize } from '../../lib/format-quantity.ts';
import { panelLabel } from '../../lib/panels.ts';
import styles from '../../run/list/run-list.module.css';
import { type StatusLabel, StatusMark } from '../../ui/status-mark.tsx';

interface ComparisonRowProps {
  comparison: ListedComparison;
  /** The newest matching run. */
  run: RunSummary;
}

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
        <StatusMark {...describeOutcome(comparison)} />
        <span className={styles.detail}>{getDetail(comparison)}</span>
      </span>
    </>
  );
}

type Outcome = Pick<
  ListedComparison,
  'requests' | 'unsent' | 'running' | 'succeeded' | 'failed' | 'stopped'
>;

/** Returns `Succeeded`, or counts such as `5 succeeded, 1 stopped`. */
export function describeOutcome(comparison: Outcome): StatusLabel {
  const { requests, running, unsent, succeeded, failed, stopped } = comparison;
  if (running > 0) return { label: 'Running', tone: 'active' };
  if (unsent > 0) return { label: 'Not finished', tone: 'quiet' };
  if (succeeded === requests) return { label: 'Succeeded', tone: 'success' };
  if (failed === requests) return { label: 'Failed', tone: 'danger' };
  if (stopped === requests) return { label: 'Stopped', tone: 'quiet' };
  const notSent = requests - succeeded - failed - stopped;
  const label = Object.entries({ succeeded, failed, stopped, 'not sent': notSent })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${formatCount(count)} ${name}`)
    .join(', ');
  return { label, tone: failed === 0 ? 'quiet' : succeeded === 0 ? 'danger' : 'warning' };
}

function getDetail({ requests, running, unsent, succeeded }: Outcome): string {
  const all = pluralize(requests, 'request');
  return running + unsent > 0 ? `${succeeded} of ${all} succeeded` : all;
}
