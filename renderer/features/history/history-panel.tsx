import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { ListedCheck } from '../../../shared/checks/check.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { api, orpc } from '../../lib/api.ts';
import { useAttempt, useCappedAttempt } from '../../lib/use-attempt.ts';
import { openCheck } from '../../run/check/listed-check.ts';
import { openComparison } from '../../run/compare/open-comparison.ts';
import { reopenRun } from '../../run/form/reopen.ts';
import { useRuns } from '../../run/list/use-runs.ts';
import { continuesOnGateway } from '../../run/live/deletion-text.ts';
import { followTask } from '../../run/live/recorded-input.ts';
import { PanelFrame } from '../../run/panel/panel-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { HistoryIcon } from '../../ui/icons/panels.tsx';
import { focusRow } from '../../ui/roving-list.ts';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { CheckEntry } from './check-entry.tsx';
import { ComparisonRecord } from './comparison-record.tsx';
import styles from './history.module.css';
import { HistoryFilters } from './history-filters.tsx';
import { SortMenu } from './history-header.tsx';
import { HistoryList } from './history-list.tsx';
import { HistoryMetrics } from './history-metrics.tsx';
import {
  clearFilters,
  getEntry,
  getRunFilter,
  type HistoryEntry,
  hasActiveFilter,
  type RunGroups,
  showEntry,
  undoKey,
  useHistory,
} from './history-store.ts';
import { RunDifferences } from './run-differences.tsx';
import { RunRecord } from './run-record.tsx';
import { ExportMenu, SelectionBar } from './selection-bar.tsx';
import { useEntryDeletion } from './use-entry-deletion.ts';

export function HistoryPanel() {
  const filter = useHistory((state) => state.filter);
  const sort = useHistory((state) => state.sort);
  const history = useRuns({ ...getRunFilter(useDeferredValue(filter)), sort, folded: true });
  const { data: checks } = useQuery(orpc.checks.list.queryOptions());
  const groups = useMemo(
    (): RunGroups => ({ comparisons: history.comparisons, checks: mapByComparison(checks ?? []) }),
    [history.comparisons, checks],
  );
  const entries = useMemo(
    () => history.runs.map((run) => getEntry(run, groups)),
    [history.runs, groups],
  );
  const shown = useShown(entries[0]);
  const shownEntry = entries.find(({ id }) => id === shown.id);
  const marked = useHistory((state) => state.marked);
  const compared = useHistory((state) => state.compared);
  const { showRun, sortBy, mark, compare } = useHistory.getState();
  const deletion = useEntryDeletion(entries);
  const { asked } = deletion;
  // Use separate attempts, so that they don't block or hide each other.
  const [opening, stopping, following] = [useAttempt(), useAttempt(), useAttempt()];
  const repeating = useCappedAttempt();
  const [repeatedId, setRepeatedId] = useState<string | null>(null);
  const errors = [opening, stopping, following, repeating, deletion].flatMap(({ error }) =>
    // The daily cap question applies to a single run.
    error === null || (error.kind === 'beyond-cap' && repeatedId !== shown.id) ? [] : error,
  );

  const queries = useQueryClient();

  const openRun = (run: RunSummary) => void opening.attempt(() => reopenRun(run));
  const stop = ({ id }: RunSummary) => void stopping.attempt(() => api.runs.cancel({ id }));
  const repeatRun = (run: RunSummary) => {
    setRepeatedId(run.id);
    void repeating.attempt(async (overCap) => {
      const id = await runAgain(run, overCap);
      showRun(id);
      focusRow(undoKey, id);
    });
  };
  const follow = ({ id, connectionId }: RunSummary, taskId: string) =>
    void following.attempt(async () =>
      showRun(await followTask(queries, { taskId, connectionId, earlierRunId: id })),
    );

  const openEntry = ({ run, comparison, check }: HistoryEntry) => {
    if (check !== null) openCheck(check);
    else if (comparison === null) openRun(run);
    else void opening.attempt(() => openComparison(comparison.id));
  };
  const byIds = (ids: ReadonlySet<string>) => entries.filter(({ id }) => ids.has(id));

  if (compared !== null) {
    return (
      <PanelFrame title="History">
        <RunDifferences
          key={compared.join()}
          runIds={compared}
          onClose={() => {
            compare(null);
            // The list has no row for a run of a comparison.
            const isListed = entries.some(({ id }) => id === compared[1]);
            focusRow(undoKey, isListed ? compared[1] : (shown.within ?? compared[1]));
          }}
        />
      </PanelFrame>
    );
  }
  return (
    <PanelFrame title="History">
      <div className={styles.panel}>
        <div className={styles.left}>
          <HistoryFilters />
          {marked.size > 0 ? (
            <SelectionBar
              selected={byIds(marked)}
              onDelete={() => deletion.remove(byIds(marked))}
            />
          ) : (
            <div className={classNames(styles.summary, 'row-8 fixed')}>
              <HistoryMetrics />
              <SortMenu sort={sort} onSort={sortBy} />
              <ExportMenu label="Export" selected={null} />
            </div>
          )}
          <UndoBars place={undoKey} className={styles.undo} />
          {history.error !== null ? (
            <ErrorAlert error={history.error} onRetry={history.retry} />
          ) : history.runs.length === 0 && !history.isPending ? (
            <NoRuns isFiltered={hasActiveFilter(filter)} />
          ) : (
            <HistoryList
              runs={history.runs}
              groups={groups}
              shownId={shown.within ?? shown.id}
              sort={sort}
              marked={marked}
              onSort={sortBy}
              onShow={showEntry}
              onMark={mark}
              onOpen={openEntry}
              onDelete={(ids) => deletion.remove(byIds(new Set(ids)))}
              onEndReached={history.showMore}
            />
          )}
        </div>
        <div className={classNames(styles.right, 'stack-12')}>
          {[...new Map(errors.map((error) => [error.message, error])).values()].map((error) => (
            <ErrorAlert
              key={error.message}
              error={error}
              onRetry={error === repeating.error ? repeating.runAnyway : undefined}
              compact
            />
          ))}
          {shown.id !== null && shown.shows === 'comparison' && (
            <ComparisonRecord
              key={shown.id}
              comparisonId={shown.id}
              onOpen={openEntry}
              onDelete={(entry) => deletion.remove([entry])}
            />
          )}
          {shown.id !== null && shown.shows === 'check' && (
            <CheckEntry
              key={shown.id}
              checkId={shown.id}
              onDelete={shownEntry && (() => deletion.remove([shownEntry]))}
            />
          )}
          {shown.id !== null && shown.shows === 'run' && (
            <RunRecord
              key={shown.id}
              runId={shown.id}
              repeating={repeating.busy || following.busy}
              stopping={stopping.busy}
              onOpen={openRun}
              onRunAgain={repeatRun}
              onFollow={follow}
              onStop={stop}
              onDelete={(run) =>
                deletion.remove([{ id: run.id, run, comparison: null, check: null }])
              }
            />
          )}
        </div>
      </div>
      <ConfirmDialog
        open={asked !== null}
        title={getQuestion(asked ?? [])}
        confirmLabel="Delete"
        danger
        busy={deletion.confirming}
        onConfirm={() => void deletion.confirm()}
        onClose={deletion.cancel}
      >
        Active runs are stopped first.
        {asked?.every(({ check }) => check === null) && ' Files and conversations are kept.'}
        {asked?.some(({ run }) => continuesOnGateway(run)) === true &&
          ' The gateway may still finish and bill video tasks.'}
      </ConfirmDialog>
    </PanelFrame>
  );
}

/** Returns the first entry until the user selects another. */
function useShown(first: HistoryEntry | undefined) {
  const { shownId, shows, within } = useHistory(
    useShallow(({ shownId, shows, within }) => ({ shownId, shows, within })),
  );
  if (shownId !== null || first === undefined) return { id: shownId, shows, within };
  return {
    id: first.id,
    shows: getShows(first),
    within: null,
  };
}

function getShows({ comparison, check }: HistoryEntry) {
  if (check !== null) return 'check';
  return comparison === null ? 'run' : 'comparison';
}

function mapByComparison(checks: readonly ListedCheck[]): RunGroups['checks'] {
  return new Map(
    checks.flatMap((check) => check.comparisonIds.map((id): [string, ListedCheck] => [id, check])),
  );
}

function getQuestion(asked: readonly HistoryEntry[]): string {
  const [one] = asked;
  if (asked.length !== 1 || one === undefined) {
    const isMixed = asked.some((entry) => getShows(entry) !== 'run');
    return `Delete ${asked.length} ${isMixed ? 'entries' : 'runs'}?`;
  }
  return `Delete this ${getShows(one)}?`;
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState
      title="No matching runs"
      action={<Button onClick={clearFilters}>Show all runs</Button>}
    >
      Try another search or filter.
    </EmptyState>
  ) : (
    <EmptyState icon={<HistoryIcon size={20} />} title="No runs yet">
      Runs from every panel appear here.
    </EmptyState>
  );
}

async function runAgain(
  { id, operation, connectionId }: RunSummary,
  overCap: boolean,
): Promise<string> {
  const { request, extraBody, wireNames, follow } = await api.runs.get({ id });
  const input = { request, extraBody, wireNames, follow, overCap };
  const { runId } = await api.runs.start({ connectionId, operation, ...input });
  return runId;
}
