import { useDeferredValue, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { isFinished } from '../../../shared/is-finished.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatCount } from '../../lib/format-quantity.ts';
import { reopenRun } from '../../run/form/reopen.ts';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { useRuns } from '../../run/list/use-runs.ts';
import { deleteRuns } from '../../run/live/delete-runs.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { HistoryIcon } from '../../ui/icons/panels.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './history.module.css';
import { HistoryFilters } from './history-filters.tsx';
import { HistoryList } from './history-list.tsx';
import { isNarrowed, neighborOf, showEverything, useHistory } from './history-store.ts';
import { runAgain } from './run-again.ts';
import { RunRecord } from './run-record.tsx';

const undoPlace = 'history';

/** Every run there was: found again, opened, repeated, deleted. */
export function HistoryPanel() {
  const filter = useHistory((state) => state.filter);
  // A search that is typed fast queries main for its last words first.
  const history = useRuns({ connectionId: null, ...useDeferredValue(filter) });
  const shownId = useHistory((state) => state.shownId) ?? history.runs[0]?.id ?? null;
  const marked = useHistory((state) => state.marked);
  const { showRun, mark } = useHistory.getState();
  const [problem, setProblem] = useState<AppError | null>(null);
  // Confirmed first only where a run would be stopped: other deletions can be undone.
  const [toDelete, setToDelete] = useState<readonly string[] | null>(null);
  const [busy, setBusy] = useState(false);

  async function open(run: RunSummary) {
    setProblem(null);
    try {
      await reopenRun(run);
    } catch (error) {
      setProblem(toAppError(error));
    }
  }

  async function stop(run: RunSummary) {
    setProblem(null);
    try {
      await api.runs.cancel({ id: run.id });
    } catch (error) {
      setProblem(toAppError(error));
    }
  }

  async function again(run: RunSummary) {
    setProblem(null);
    setBusy(true);
    const started = await runAgain(run);
    setBusy(false);
    if (started.ok) showRun(started.runId);
    else setProblem(started.error);
  }

  async function remove(ids: readonly string[]) {
    if (busy) return;
    setBusy(true);
    const next = neighborOf(
      history.runs.map(({ id }) => id),
      new Set(ids),
      shownId,
    );
    const deleted = await deleteRuns(ids, {
      place: undoPlace,
      onUndone: () => showRun(ids[0] ?? null),
    });
    setBusy(false);
    setToDelete(null);
    setProblem(deleted.error);
    if (deleted.ids.length > 0) {
      mark(new Set());
      showRun(next);
    }
  }

  function removeOrConfirm(ids: readonly string[]) {
    const isLive = history.runs.some(({ id, status }) => ids.includes(id) && !isFinished(status));
    if (isLive) setToDelete(ids);
    else void remove(ids);
  }

  return (
    <PanelFrame title="History">
      <div className={styles.panel}>
        <div className={styles.left}>
          <HistoryFilters />
          {marked.size > 1 && (
            <div className={styles.marked}>
              <span>{formatCount(marked.size)} runs selected</span>
              <Button size="small" variant="danger" onClick={() => removeOrConfirm([...marked])}>
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
              onOpen={(run) => void open(run)}
              onDelete={removeOrConfirm}
              onEndReached={history.showMore}
            />
          )}
        </div>
        <div className={styles.right}>
          {problem !== null && <ErrorAlert error={problem} compact />}
          {shownId !== null && (
            <RunRecord
              key={shownId}
              runId={shownId}
              busy={busy}
              onOpen={(run) => void open(run)}
              onRunAgain={(run) => void again(run)}
              onStop={(run) => void stop(run)}
              onDelete={(run) => removeOrConfirm([run.id])}
            />
          )}
        </div>
      </div>
      <ConfirmDialog
        open={toDelete !== null}
        title={
          toDelete?.length === 1 ? 'Delete this run?' : `Delete ${toDelete?.length ?? 0} runs?`
        }
        confirmLabel="Delete"
        danger
        busy={busy}
        onConfirm={() => toDelete !== null && void remove(toDelete)}
        onClose={() => setToDelete(null)}
      >
        Runs in progress are stopped first. Media and conversations are kept.
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
      Change the search or the filters.
    </EmptyState>
  ) : (
    <EmptyState icon={<HistoryIcon size={20} />} title="No runs yet">
      Runs from every panel appear here.
    </EmptyState>
  );
}
