import type { ReactNode } from 'react';
import type { ListedComparison } from '../../../shared/comparison.ts';
import { formatCost } from '../../../shared/cost.ts';
import { sumTokens } from '../../../shared/operations/response/usage.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { getTotalMs, timingTooltips } from '../../../shared/run-times.ts';
import { formatClock, formatCount, formatDuration, pluralize } from '../../lib/format-quantity.ts';
import { getPanelLabel, type PanelName } from '../../lib/panels.ts';
import { checkKindLabels, checkStateLabels } from '../../run/check/listed-check.ts';
import { RunStatusMark } from '../../run/frame/run-status.tsx';
import { CheckMark } from '../../ui/checkbox.tsx';
import { classNames } from '../../ui/class-names.ts';
import { type StatusLabel, StatusMark } from '../../ui/status-mark.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './history-list.module.css';
import type { HistoryEntry } from './history-store.ts';

interface HistoryRowProps {
  entry: HistoryEntry;
  isMarked: boolean;
  /** Called with whether Shift is held, which extends the selection. */
  onMark: (isRange: boolean) => void;
}

export function HistoryRow({ entry, isMarked, onMark }: HistoryRowProps) {
  const { run, comparison, check } = entry;
  const common = { run, isMarked, onMark };
  if (check !== null) {
    return (
      <Columns
        {...common}
        panel="check"
        createdAt={check.createdAt}
        prompt={checkKindLabels[check.kind]}
        model={check.title}
        status={<StatusMark {...checkStateLabels[check.state]} />}
      />
    );
  }
  if (comparison !== null) {
    const outcome = describeOutcome(comparison);
    return (
      <Columns
        {...common}
        prompt={comparison.title}
        model={<span className={styles.progress}>{describeProgress(comparison)}</span>}
        // Repeat the label as the reason, because a narrow column truncates the counts.
        status={<StatusMark {...outcome} reason={outcome.label} />}
      />
    );
  }
  const total = getTotalMs(run);
  const tokens = sumTokens(run.figures?.usage ?? null);
  return (
    <Columns
      {...common}
      prompt={run.preview || '–'}
      model={run.model || '–'}
      status={<RunStatusMark run={run} />}
      tokens={tokens === null ? null : formatCount(tokens)}
      cost={run.cost === null ? null : formatCost(run.cost)}
      duration={total === null ? null : formatDuration(total)}
    />
  );
}

interface ColumnsProps extends Omit<HistoryRowProps, 'entry'> {
  run: RunSummary;
  /** Defaults to the run's, as does the panel. */
  createdAt?: number;
  panel?: PanelName;
  prompt: string;
  model: ReactNode;
  status: ReactNode;
  tokens?: string | null;
  cost?: string | null;
  duration?: string | null;
}

function Columns({ run, isMarked, onMark, prompt, model, status, ...figures }: ColumnsProps) {
  const { panel = run.operation, createdAt = run.createdAt } = figures;
  return (
    <span className={styles.columns}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the option around it takes the keys. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Space marks the focused option. */}
      <span
        className={styles.mark}
        data-mark=""
        onClick={(event) => {
          event.stopPropagation();
          onMark(event.shiftKey);
        }}
      >
        <CheckMark state={isMarked ? 'checked' : 'unchecked'} />
      </span>
      <time
        className={classNames(styles.time, 'truncate')}
        dateTime={new Date(createdAt).toISOString()}
      >
        {formatTime(createdAt)}
      </time>
      <span className={classNames(styles.panel, 'truncate')}>{getPanelLabel(panel)}</span>
      <span className={classNames(styles.prompt, 'truncate')} dir="auto">
        {prompt}
      </span>
      <span className={classNames(styles.model, 'truncate')}>{model}</span>
      <span className={classNames(styles.connection, 'truncate')}>{run.connectionName}</span>
      <span className={classNames(styles.status, 'truncate')}>{status}</span>
      <span className={styles.tokens}>{figures.tokens}</span>
      <span className={styles.cost}>{figures.cost}</span>
      <Tooltip text={figures.duration ? `Total. ${timingTooltips.total}` : null}>
        <span className={styles.duration}>{figures.duration}</span>
      </Tooltip>
    </span>
  );
}

/** Omits the seconds for earlier days, because they don't fit. */
function formatTime(createdAt: number): string {
  const clock = formatClock(createdAt, Date.now());
  return clock.includes(',') ? clock.slice(0, -':00'.length) : clock;
}

type Outcome = Pick<
  ListedComparison,
  'requests' | 'unsent' | 'running' | 'succeeded' | 'failed' | 'stopped'
>;

function describeProgress({ requests, running, unsent, succeeded }: Outcome): string {
  const all = pluralize(requests, 'request');
  return running + unsent > 0 ? `${succeeded} of ${all}` : all;
}

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
