import { useEffect } from 'react';
import { selectInspectedRun, useLayout } from '../../lib/layout.ts';
import { panelLabel } from '../../lib/panels.ts';
import { RunList } from '../../run/list/run-list.tsx';
import { RunRow } from '../../run/list/run-row.tsx';
import { useRuns } from '../../run/list/use-runs.ts';
import { useRunPart } from '../../run/live/live-runs.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './inspector.module.css';
import { RunDetails } from './run-details.tsx';

/** Every run, and what was sent and came back. */
export function Inspector() {
  const chosenId = useLayout((layout) => layout.inspectedRunId);
  const list = useRuns({ connectionId: null });
  const shownId = chosenId ?? list.runs[0]?.id ?? null;
  const createdAt = useRunPart(chosenId, (view) => view.createdAt);
  const oldest = list.runs.at(-1);
  const isBeyond = createdAt !== undefined && oldest !== undefined && createdAt < oldest.createdAt;

  // A run that was opened from elsewhere may be older than the pages that are loaded.
  useEffect(() => {
    if (isBeyond && oldest !== undefined) list.showMore();
  }, [isBeyond, oldest, list.showMore]);

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
    <div className={styles.inspector}>
      <div className={styles.runs}>
        <UndoBars place="inspector" className={styles.undo} />
        <RunList
          runs={list.runs}
          shownId={shownId}
          className={styles.list}
          onShow={({ id }) => selectInspectedRun(id)}
          onEndReached={list.showMore}
        >
          {(run) => (
            <RunRow run={run} detail={`${panelLabel(run.operation)} · ${run.connectionName}`} />
          )}
        </RunList>
      </div>
      {shownId !== null && <RunDetails key={shownId} runId={shownId} />}
    </div>
  );
}
