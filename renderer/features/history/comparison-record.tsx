import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedComparison } from '../../../shared/comparison.ts';
import { costTooltip } from '../../../shared/cost.ts';
import { formatCost } from '../../../shared/format-cost.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatClock, formatCount } from '../../lib/format-quantity.ts';
import { inspectRun } from '../../lib/layout.ts';
import { panelLabel } from '../../lib/panels.ts';
import { useBlindRuns, useComparison, useIsBlind } from '../../run/compare/live-comparisons.ts';
import { RunList, RunRow } from '../../run/list/run-list.tsx';
import { useRuns } from '../../run/list/use-runs.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { isIntentionalDelete } from '../../ui/repeat-delete-guard.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { describeCell } from './cell-words.ts';
import type { HistoryEntry } from './history-entries.ts';
import { useHistory } from './history-store.ts';
import { Fact } from './record-fact.tsx';
import styles from './run-record.module.css';
import { useListedComparison } from './use-listed-comparison.ts';

interface ComparisonRecordProps {
  comparisonId: string;
  onOpen: (entry: HistoryEntry) => void;
  onDelete: (entry: HistoryEntry) => void;
}

/** A comparison with every run of it: each opens its own record. */
export function ComparisonRecord({ comparisonId, onOpen, onDelete }: ComparisonRecordProps) {
  const { entry, error, refetch } = useListedComparison(comparisonId);
  const list = useRuns({ comparisonId });
  const runs = useBlindRuns(list.runs);
  const isBlind = useIsBlind();
  const live = useComparison(comparisonId);
  const [selectedId, select] = useState<string | null>(null);
  const { showRun } = useHistory.getState();
  if (error !== null)
    return <ErrorAlert error={toAppError(error)} onRetry={() => void refetch()} />;
  if (entry === undefined) return <Spinner label="Loading comparison" />;
  if (entry === null) {
    return <EmptyState title="This comparison was deleted">Choose another entry.</EmptyState>;
  }
  const { comparison, run } = entry;
  const showIn = (runId: string) => showRun(runId, comparisonId);
  return (
    <article className={styles.comparison} aria-label="Comparison">
      <div className={styles.head}>
        <h2 className={styles.title}>{comparison.title}</h2>
        <span className={styles.actions}>
          <Button size="small" variant="primary" onClick={() => onOpen(entry)}>
            Open in {panelLabel(run.operation)}
          </Button>
          {selectedId !== null && (
            <Button size="small" onClick={() => inspectRun(selectedId)}>
              Inspect
            </Button>
          )}
          <Button
            size="small"
            variant="quiet"
            data-focus-fallback="undo"
            onClick={({ currentTarget }) => {
              if (isIntentionalDelete(comparisonId, currentTarget)) {
                onDelete(entry);
              }
            }}
          >
            Delete
          </Button>
        </span>
      </div>
      <Facts comparison={comparison} label={`${panelLabel(run.operation)} comparison`} />
      <RunList
        label="Requests"
        runs={runs}
        shownId={selectedId}
        className={styles.runs}
        onShow={({ id }, { type }) => (type === 'click' ? showIn(id) : select(id))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || selectedId === null || event.ctrlKey || event.metaKey)
            return;
          event.preventDefault();
          showIn(selectedId);
        }}
        onEndReached={list.showMore}
      >
        {(one) => {
          const { heading, ...words } = describeCell(one, live, isBlind(one));
          return <RunRow run={one} {...(heading !== undefined && { heading })} {...words} />;
        }}
      </RunList>
    </article>
  );
}

function Facts({ comparison, label }: { comparison: ListedComparison; label: string }) {
  const { id, createdAt, requests, succeeded, failed, stopped, running, unsent } = comparison;
  const input = { connectionId: null, operation: null, status: null, comparisonId: id };
  const { data: cost } = useQuery({
    // Fetched again whenever the list is.
    queryKey: [...orpc.runs.list.key(), 'cost', input],
    queryFn: ({ signal }) => api.runs.cost(input, { signal }),
  });
  const counts = {
    Succeeded: succeeded,
    Failed: failed,
    Stopped: stopped,
    Running: running,
    'Not sent': unsent,
  };
  return (
    <dl className={styles.facts}>
      <Fact name="Type">{label}</Fact>
      <Fact name="Started">{formatClock(createdAt, Date.now())}</Fact>
      <Fact name="Requests">{formatCount(requests)}</Fact>
      {Object.entries(counts).map(
        ([name, count]) =>
          count > 0 && (
            <Fact key={name} name={name}>
              {formatCount(count)}
            </Fact>
          ),
      )}
      {cost?.dollars != null && (
        <Fact name="Est. cost">
          <Tooltip text={costTooltip}>
            <span>{formatCost(cost.dollars)}</span>
          </Tooltip>
        </Fact>
      )}
    </dl>
  );
}
