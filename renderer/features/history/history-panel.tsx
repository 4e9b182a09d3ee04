import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { RunSummary } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { formatCount } from '../../lib/format-quantity.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { reopenRun } from '../../run/form/reopen.ts';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { useRuns } from '../../run/list/use-runs.ts';
import { staysAtGateway } from '../../run/live/deletion-words.ts';
import { followTask } from '../../run/live/follow-task.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { HistoryIcon } from '../../ui/icons/panels.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './history.module.css';
import { HistoryFilters } from './history-filters.tsx';
import { HistoryList } from './history-list.tsx';
import { isNarrowed, showEverything, undoPlace, useHistory } from './history-store.ts';
import { RunRecord } from './run-record.tsx';
import { useRunDeletion } from './use-run-deletion.ts';

/** Every run there was: found again, opened, repeated, deleted. */
export function HistoryPanel() {
  const filter = useHistory((state) => state.filter);
  // A search that is typed fast queries main for its last words first.
  const history = useRuns(useDeferredValue(filter));
  const shownId = useHistory((state) => state.shownId) ?? history.runs[0]?.id ?? null;
  const marked = useHistory((state) => state.marked);
  const { showRun, mark } = useHistory.getState();
  const deletion = useRunDeletion(history.runs);
  const { asked } = deletion;
  // What one of them waits for, or why it failed, says nothing of the others.
  const [opening, stopping, repeating] = [useAttempt(), useAttempt(), useAttempt()];
  const errors = [opening, stopping, repeating, deletion].flatMap(({ error }) => error ?? []);

  const queries = useQueryClient();

  const open = (run: RunSummary) => void opening.attempt(() => reopenRun(run));
  const stop = ({ id }: RunSummary) => void stopping.attempt(() => api.runs.cancel({ id }));
  const again = (run: RunSummary) =>
    void repeating.attempt(async () => showRun(await runAgain(run)));
  const follow = ({ id, connectionId }: RunSummary, taskId: string) =>
    void repeating.attempt(async () =>
      showRun(await followTask(queries, { taskId, connectionId, earlierRunId: id })),
    );

  const byIds = (ids: ReadonlySet<string>) => history.runs.filter(({ id }) => ids.has(id));

  return (
    <PanelFrame title="History">
      <div className={styles.panel}>
        <div className={styles.left}>
          <HistoryFilters />
          {marked.size > 1 && (
            <div className={styles.marked}>
              <span>{formatCount(marked.size)} runs selected</span>
              <Button size="small" variant="danger" onClick={() => deletion.remove(byIds(marked))}>
                Delete selected
              </Button>
              <Button size="small" variant="quiet" onClick={() => mark(new Set())}>
                Clear selection
              </Button>
            </div>
          )}
          <UndoBars place={undoPlace} className={styles.undo} />
          {history.error !== null ? (
            <ErrorAlert error={history.error} onRetry={history.retry} />
          ) : history.runs.length === 0 && !history.isPending ? (
            <Nothing narrowed={isNarrowed(filter)} />
          ) : (
            <HistoryList
              runs={history.runs}
              shownId={shownId}
              marked={marked}
              onShow={showRun}
              onMark={mark}
              onOpen={open}
              onDelete={(ids) => deletion.remove(byIds(new Set(ids)))}
              onEndReached={history.showMore}
            />
          )}
        </div>
        <div className={styles.right}>
          {[...new Map(errors.map((error) => [error.message, error])).values()].map((error) => (
            <ErrorAlert key={error.message} error={error} compact />
          ))}
          {shownId !== null && (
            <RunRecord
              key={shownId}
              runId={shownId}
              repeating={repeating.busy}
              stopping={stopping.busy}
              onOpen={open}
              onRunAgain={again}
              onFollow={follow}
              onStop={stop}
              onDelete={(run) => deletion.remove([run])}
            />
          )}
        </div>
      </div>
      <ConfirmDialog
        open={asked !== null}
        title={asked?.length === 1 ? 'Delete this run?' : `Delete ${asked?.length ?? 0} runs?`}
        confirmLabel="Delete"
        danger
        busy={deletion.confirming}
        onConfirm={() => void deletion.confirm()}
        onClose={deletion.cancel}
      >
        Runs in progress are stopped first. Media and conversations are kept.
        {asked?.some(staysAtGateway) === true &&
          ' The gateway may still finish and bill video tasks.'}
      </ConfirmDialog>
    </PanelFrame>
  );
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  return narrowed ? (
    <EmptyState
      title="No matching runs"
      action={<Button onClick={showEverything}>Show all runs</Button>}
    >
      Try another search or filter.
    </EmptyState>
  ) : (
    <EmptyState icon={<HistoryIcon size={20} />} title="No runs yet">
      Runs from every panel appear here.
    </EmptyState>
  );
}

/** Starts the same request as a new run on the same connection; returns the new run's ID. */
async function runAgain({ id, operation, connectionId }: RunSummary): Promise<string> {
  const { request, extraBody, wireNames, follow } = await api.runs.get({ id });
  const input = { request, extraBody, wireNames, follow };
  const { runId } = await api.runs.start({ connectionId, operation, ...input });
  return runId;
}
