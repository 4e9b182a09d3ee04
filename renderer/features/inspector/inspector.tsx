import { useState } from 'react';
import type { RunSummary } from '../../../shared/run.ts';
import { selectInspectedRun, useLayout } from '../../lib/layout.ts';
import { panelLabel } from '../../lib/panels.ts';
import { blindLabel, useBlindRuns, useIsBlind } from '../../run/compare/live-comparisons.ts';
import { RunList, RunRow } from '../../run/list/run-list.tsx';
import { useRuns } from '../../run/list/use-runs.ts';
import { useRunPart, useRunProblem } from '../../run/live/live-runs.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './inspector.module.css';
import { RunDetails } from './run-details.tsx';

export function Inspector() {
  const chosenId = useLayout((layout) => layout.inspectedRunId);
  const list = useRuns({ connectionId: null });
  const shownId = chosenId ?? list.runs[0]?.id ?? null;
  const older = useOlderRun(chosenId, list.runs.at(-1));
  const isBlind = useIsBlind();
  const comparisonId = useRunPart(shownId, (view) => view.comparisonId) ?? null;
  const runs = useBlindRuns(older === null ? list.runs : [older, ...list.runs]);

  if (list.error !== null) {
    return (
      <div className={styles.notice}>
        <ErrorAlert error={list.error} onRetry={list.retry} />
      </div>
    );
  }
  if (!list.isPending && shownId === null) {
    return <EmptyState title="No runs yet">Runs from every panel appear here.</EmptyState>;
  }
  return (
    <div className="fill">
      <div className={styles.runs}>
        <UndoBars place="inspector" className={styles.undo} />
        <RunList
          runs={runs}
          shownId={shownId}
          className={styles.list}
          onShow={({ id }) => selectInspectedRun(id)}
          onEndReached={list.showMore}
        >
          {(run) => <RunRow run={run} detail={getDetail(run)} />}
        </RunList>
      </div>
      {shownId !== null &&
        (isBlind({ comparisonId }) ? (
          <EmptyState title={blindLabel}>Turn off Blind to inspect this request.</EmptyState>
        ) : (
          <RunDetails key={shownId} runId={shownId} />
        ))}
    </div>
  );
}

function getDetail({ operation, connectionName }: RunSummary): string {
  const label = panelLabel(operation);
  return connectionName === '' ? label : `${label} · ${connectionName}`;
}

/**
 * Returns the selected run if it's older than the loaded page, until its own page loads; else null.
 */
function useOlderRun(chosenId: string | null, oldest: RunSummary | undefined): RunSummary | null {
  const [olderId, setOlderId] = useState<string | null>(null);
  const chosenAt = useRunPart(chosenId, ({ createdAt }) => createdAt);
  const isOlder = chosenAt !== undefined && oldest !== undefined && chosenAt < oldest.createdAt;
  if (isOlder && olderId !== chosenId) setOlderId(chosenId);
  const older = useRunPart(olderId, (view): RunSummary => view);
  const isDeleted = useRunProblem(olderId)?.kind === 'not-found';
  if (older === undefined || oldest === undefined || isDeleted) return null;
  return older.createdAt < oldest.createdAt ? older : null;
}
