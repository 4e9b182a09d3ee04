import { useDeferredValue, useState } from 'react';
import type { RunSummary } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { formatCount } from '../../lib/format-quantity.ts';
import { PageFailure } from '../../lib/page-failure.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { reopenRun } from '../../run/form/reopen.ts';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { useRuns } from '../../run/list/use-runs.ts';
import { deleteRuns } from '../../run/live/delete-runs.ts';
import { isStoppedByDeletion, staysAtGateway } from '../../run/live/deletion-words.ts';
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
import { RunRecord } from './run-record.tsx';

const undoPlace = 'history';

/** Every run there was: found again, opened, repeated, deleted. */
export function HistoryPanel() {
  const filter = useHistory((state) => state.filter);
  // A search that is typed fast queries main for its last words first.
  const history = useRuns(useDeferredValue(filter));
  const shownId = useHistory((state) => state.shownId) ?? history.runs[0]?.id ?? null;
  const marked = useHistory((state) => state.marked);
  const { showRun, mark } = useHistory.getState();
  // Confirmed first only where a run would be stopped: other deletions can be undone.
  const [toDelete, setToDelete] = useState<readonly RunSummary[] | null>(null);
  const { busy, error, attempt } = useAttempt();

  const open = (run: RunSummary) => void attempt(() => reopenRun(run));
  const stop = ({ id }: RunSummary) => void attempt(() => api.runs.cancel({ id }));
  const again = (run: RunSummary) => void attempt(async () => showRun(await runAgain(run)));

  async function remove(runs: readonly RunSummary[]) {
    if (busy) return;
    const next = neighborOf(
      history.runs.map(({ id }) => id),
      new Set(runs.map(({ id }) => id)),
      shownId,
    );
    await attempt(async () => {
      const deleted = await deleteRuns(runs, {
        place: undoPlace,
        onUndone: () => showRun(runs[0]?.id ?? null),
      });
      if (deleted.ids.length > 0) {
        mark(new Set());
        showRun(next);
      }
      if (deleted.error !== null) throw new PageFailure(deleted.error);
    });
    setToDelete(null);
  }

  function removeOrConfirm(runs: readonly RunSummary[]) {
    if (runs.some(isStoppedByDeletion)) setToDelete(runs);
    else void remove(runs);
  }

  const byIds = (ids: ReadonlySet<string>) => history.runs.filter(({ id }) => ids.has(id));

  return (
    <PanelFrame title="History">
      <div className={styles.panel}>
        <div className={styles.left}>
          <HistoryFilters />
          {marked.size > 1 && (
            <div className={styles.marked}>
              <span>{formatCount(marked.size)} runs selected</span>
              <Button size="small" variant="danger" onClick={() => removeOrConfirm(byIds(marked))}>
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
              onDelete={(ids) => removeOrConfirm(byIds(new Set(ids)))}
              onEndReached={history.showMore}
            />
          )}
        </div>
        <div className={styles.right}>
          {error !== null && <ErrorAlert error={error} compact />}
          {shownId !== null && (
            <RunRecord
              key={shownId}
              runId={shownId}
              busy={busy}
              onOpen={open}
              onRunAgain={again}
              onStop={stop}
              onDelete={(run) => removeOrConfirm([run])}
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
        Runs in progress are stopped first
        {toDelete?.some(staysAtGateway) === true &&
          ', but the gateway may still finish and bill video tasks'}
        . Media and conversations are kept.
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
