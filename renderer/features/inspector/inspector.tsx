import { useConnections } from '../../lib/connections.ts';
import { selectInspectedRun, useLayout } from '../../lib/layout.ts';
import { RunList } from '../../run/list/run-list.tsx';
import { RunRow } from '../../run/list/run-row.tsx';
import { useRuns } from '../../run/list/use-runs.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import styles from './inspector.module.css';
import { RunDetails } from './run-details.tsx';

/** Every run of the selected connection, and what was sent and came back. */
export function Inspector() {
  const connection = useConnections().selected;
  const chosenId = useLayout((layout) => layout.inspectedRunId);
  const list = useRuns({ connectionId: connection?.id ?? null }, connection !== null);
  const shownId = chosenId ?? list.runs[0]?.id ?? null;

  if (list.error !== null) {
    return (
      <div className={styles.notice}>
        <ErrorAlert error={list.error} onRetry={list.retry} />
      </div>
    );
  }
  if (!list.isPending && shownId === null) {
    return (
      <EmptyState title="No runs yet">
        {connection === null ? 'Choose a connection.' : `Runs on ${connection.name} appear here.`}
      </EmptyState>
    );
  }
  return (
    <div className={styles.inspector}>
      <RunList
        runs={list.runs}
        shownId={shownId}
        className={styles.runs}
        onShow={({ id }) => selectInspectedRun(id)}
        onEndReached={list.showMore}
      >
        {(run) => <RunRow run={run} detail={run.operation} />}
      </RunList>
      {shownId !== null && <RunDetails key={shownId} runId={shownId} />}
    </div>
  );
}
