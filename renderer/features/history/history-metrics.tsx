import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { Percentiles, RunMetrics } from '../../../shared/contract/runs.ts';
import { costTooltip, formatCost } from '../../../shared/cost.ts';
import { timingTooltips } from '../../../shared/run-times.ts';
import { api, orpc } from '../../lib/api.ts';
import { formatClock, formatCount, formatDuration, pluralize } from '../../lib/format-quantity.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './history-metrics.module.css';
import { getRunFilter, useHistory } from './history-store.ts';

/** Shows the metrics of all runs that match the filter, not only of those that are loaded. */
export function HistoryMetrics() {
  const input = getRunFilter(useDeferredValue(useHistory((state) => state.filter)));
  const { data } = useQuery({
    // Start the key with the run list's key, so that both queries are refetched together.
    queryKey: [...orpc.runs.list.key(), 'metrics', input],
    queryFn: ({ signal }) => api.runs.metrics(input, { signal }),
    placeholderData: keepPreviousData,
  });
  if (data === undefined || data.runs === 0) return null;
  const { runs, failures, dollars, pricedRuns, totalMs, firstOutputMs, periods } = data;
  return (
    <section aria-label="Metrics" className={styles.metrics}>
      <span>{pluralize(runs, 'run')}</span>
      {failures > 0 && (
        <span className={styles.failed}>
          {formatCount(failures)} failed ({Math.max(1, Math.round((100 * failures) / runs))}%)
        </span>
      )}
      {dollars !== null && (
        <Tooltip text={costTooltip}>
          <span>
            Est. cost {formatCost(dollars)}
            {pricedRuns < runs && ` (${pluralize(pricedRuns, 'priced run')})`}
          </span>
        </Tooltip>
      )}
      <Times name="Total time" help={timingTooltips.total} times={totalMs} />
      <Times name="First token" help={timingTooltips.firstOutput} times={firstOutputMs} />
      {runs > 1 && <Chart periods={periods} />}
    </section>
  );
}

interface TimesProps {
  name: string;
  help: string;
  times: Percentiles | null;
}

function Times({ name, help, times }: TimesProps) {
  if (times === null) return null;
  return (
    <Tooltip text={`${help} Of ${pluralize(times.count, 'run')} that succeeded.`}>
      <span>
        {name} p50 {formatDuration(times.p50)}
        {times.p95 !== null && ` · p95 ${formatDuration(times.p95)}`}
      </span>
    </Tooltip>
  );
}

const WIDTH = 96;
const HEIGHT = 16;

/** Draws the number of runs over time, with the failures at the bottom of each bar. */
function Chart({ periods }: Pick<RunMetrics, 'periods'>) {
  const most = Math.max(1, ...periods.map(({ runs }) => runs));
  const step = WIDTH / Math.max(1, periods.length);
  const first = periods[0];
  if (first === undefined) return null;
  return (
    <svg
      role="img"
      aria-label={`Runs over time, since ${formatClock(first.from, Date.now())}`}
      className={styles.chart}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
    >
      {periods.flatMap(({ from, runs, failures }, index) =>
        [
          { part: 'runs', count: runs },
          { part: 'failures', count: failures },
        ].flatMap(({ part, count }) => {
          if (count === 0) return [];
          const height = Math.max(2, (HEIGHT * count) / most);
          return (
            <rect
              key={`${from} ${part}`}
              className={styles[part]}
              x={index * step}
              y={HEIGHT - height}
              width={step - 1}
              height={height}
            />
          );
        }),
      )}
    </svg>
  );
}
