import { isFinished, type RunSummary } from '../../../shared/run.ts';
import { timingTooltips, totalMs } from '../../../shared/run-times.ts';
import { formatDuration, formatElapsed } from '../../lib/format-quantity.ts';
import { useNow } from '../../run/live/use-now.ts';
import { Tooltip } from '../../ui/tooltip.tsx';

interface TaskTimeProps {
  run: Pick<RunSummary, 'status' | 'createdAt' | 'startedAt' | 'finishedAt' | 'timings'>;
}

/** The run's total time, or the elapsed time while it runs. */
export function TaskTime({ run }: TaskTimeProps) {
  const live = !isFinished(run.status);
  const now = useNow(live ? 100 : null);
  const total = totalMs(run);
  if (live)
    return <span className="tabular">{formatElapsed(now - (run.startedAt ?? run.createdAt))}</span>;
  return total === null ? null : (
    <Tooltip text={timingTooltips.total}>
      <span>Total {formatDuration(total)}</span>
    </Tooltip>
  );
}
