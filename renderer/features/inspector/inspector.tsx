import { useInfiniteQuery } from '@tanstack/react-query';
import type { RunSummary } from '../../../shared/run.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useConnections } from '../../lib/connections.ts';
import { selectInspectedRun, useLayout } from '../../lib/layout.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import styles from './inspector.module.css';
import { RunDetails } from './run-details.tsx';
import { RunList } from './run-list.tsx';

const pageSize = 100;

/** Every run of the selected connection, and what was sent and came back. */
export function Inspector() {
  const connection = useConnections().selected;
  const chosenId = useLayout((layout) => layout.inspectedRunId);
  const list = useInfiniteQuery({
    ...orpc.runs.list.infiniteOptions({
      input: (before: { createdAt: number; id: string } | null) => ({
        connectionId: connection?.id ?? null,
        operation: null,
        status: null,
        before,
        limit: pageSize,
      }),
      initialPageParam: null,
      getNextPageParam: ({ runs, more }) => (more ? cursorOf(runs) : null),
    }),
    enabled: connection !== null,
  });
  const runs = list.data?.pages.flatMap((page) => page.runs) ?? [];
  const shownId = chosenId ?? runs[0]?.id ?? null;

  if (list.error !== null) {
    return (
      <div className={styles.notice}>
        <ErrorAlert error={toAppError(list.error)} onRetry={() => void list.refetch()} />
      </div>
    );
  }
  if (list.isSuccess && shownId === null) {
    return (
      <EmptyState title="No runs yet">
        {connection === null ? 'Choose a connection.' : `Runs on ${connection.name} appear here.`}
      </EmptyState>
    );
  }
  return (
    <div className={styles.inspector}>
      <RunList
        runs={runs}
        shownId={shownId}
        onShow={selectInspectedRun}
        onEndReached={() => {
          if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
        }}
      />
      {shownId !== null && <RunDetails key={shownId} runId={shownId} />}
    </div>
  );
}

function cursorOf(runs: RunSummary[]) {
  const last = runs.at(-1);
  return last ? { createdAt: last.createdAt, id: last.id } : null;
}
