import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getCellVariant, type ListedComparison } from '../../../shared/comparison.ts';
import { costTooltip, formatCost } from '../../../shared/cost.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatClock, formatCount } from '../../lib/format-quantity.ts';
import { inspectRun } from '../../lib/layout.ts';
import { getPanelLabel } from '../../lib/panels.ts';
import { Fact, FactList } from '../../run/body/fact-table.tsx';
import { getOwnName, listTags, listVariantNames } from '../../run/compare/compare-columns.ts';
import {
  type LiveComparison,
  useBlindRuns,
  useComparison,
  useIsBlind,
} from '../../run/compare/live-comparisons.ts';
import { RunList, RunRow } from '../../run/list/run-list.tsx';
import { useRuns } from '../../run/list/use-runs.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { guardDelete } from '../../ui/press-guard.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { type HistoryEntry, useHistory } from './history-store.ts';
import styles from './run-record.module.css';
import { useListedComparison } from './use-listed-comparison.ts';

interface ComparisonRecordProps {
  comparisonId: string;
  onOpen: (entry: HistoryEntry) => void;
  onDelete: (entry: HistoryEntry) => void;
}

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
  const showComparedRun = (runId: string) => showRun(runId, comparisonId);
  return (
    <article className="stack-12 fill" aria-label="Comparison">
      <div className="wrap-12">
        <h2 className={styles.title}>{comparison.title}</h2>
        <ActionBar>
          <Button size="small" variant="primary" onClick={() => onOpen(entry)}>
            Open in {getPanelLabel(run.operation)}
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
              if (guardDelete(comparisonId, currentTarget)) {
                onDelete(entry);
              }
            }}
          >
            Delete
          </Button>
        </ActionBar>
      </div>
      <Facts comparison={comparison} label={`${getPanelLabel(run.operation)} comparison`} />
      <RunList
        label="Requests"
        runs={runs}
        shownId={selectedId}
        className={styles.runs}
        onShow={({ id }, { type }) => (type === 'click' ? showComparedRun(id) : select(id))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || selectedId === null || event.ctrlKey || event.metaKey)
            return;
          event.preventDefault();
          showComparedRun(selectedId);
        }}
        onEndReached={list.showMore}
      >
        {(one) => {
          const { heading, ...label } = describeCell(one, live, isBlind(one));
          return <RunRow run={one} {...(heading !== undefined && { heading })} {...label} />;
        }}
      </RunList>
    </article>
  );
}

function Facts({ comparison, label }: { comparison: ListedComparison; label: string }) {
  const { id, createdAt, requests, succeeded, failed, stopped, running, unsent } = comparison;
  const input = { connectionId: null, operation: null, status: null, comparisonId: id };
  const { data: metrics } = useQuery({
    // Start the key with the run list's key, so that both queries are refetched together.
    queryKey: [...orpc.runs.list.key(), 'metrics', input],
    queryFn: ({ signal }) => api.runs.metrics(input, { signal }),
  });
  const counts = {
    Succeeded: succeeded,
    Failed: failed,
    Stopped: stopped,
    Running: running,
    'Not sent': unsent,
  };
  return (
    <FactList>
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
      {metrics?.dollars != null && (
        <Fact name="Est. cost">
          <Tooltip text={costTooltip}>{formatCost(metrics.dollars)}</Tooltip>
        </Fact>
      )}
    </FactList>
  );
}

interface CellLabel {
  heading: string | undefined;
  preview: string;
  detail: string;
}

/** Describes how a run differs within its comparison; if blind, returns only the row and repeat. */
function describeCell(run: RunSummary, live: LiveComparison | null, isBlind: boolean): CellLabel {
  const cell = run.cell === null ? undefined : live?.cells[run.cell];
  const label = live?.comparison.rows.find(({ id }) => id === cell?.rowId)?.label;
  const repeat =
    live !== null && cell !== undefined && live.comparison.repeats > 1
      ? [`Repeat ${cell.repeat + 1}`]
      : [];
  if (isBlind) return { heading: undefined, preview: label || '–', detail: repeat.join() };
  const variant = live && cell && getCellVariant(live.comparison, cell);
  if (live === null || cell === undefined || !variant) {
    return { heading: undefined, preview: run.preview || '–', detail: run.connectionName };
  }
  const { variants, rows } = live.comparison;
  const isNewest = variants.includes(variant);
  const name = isNewest ? listVariantNames(variants).get(variant.id)?.name : getOwnName(variant);
  const row = rows.length > 1 && label !== undefined ? [label] : [];
  const details = [...row, ...listTags(variant)];
  return {
    heading: name === variant.request.model ? undefined : name,
    preview: details.join(' · ') || run.preview || '–',
    detail: [...repeat, run.connectionName].join(' · '),
  };
}
