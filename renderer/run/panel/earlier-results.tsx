import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { getTotalMs } from '../../../shared/run-times.ts';
import { formatClock, formatDuration } from '../../lib/format-quantity.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useRovingList } from '../../ui/roving-list.ts';
import { useIsBlind } from '../compare/live-comparisons.ts';
import type { Form } from '../form/form.ts';
import { RunStatusMark } from '../frame/run-status.tsx';
import { useRuns } from '../list/use-runs.ts';
import styles from './earlier-results.module.css';

interface Folding {
  isOpen: boolean;
}

/** One choice for all panels; it survives a reload. */
const useFolding = create<Folding>()(
  persist((): Folding => ({ isOpen: false }), { name: 'gatehouse:earlier-results' }),
);

interface EarlierResultsProps {
  form: Form<OperationName>;
  shownId: string | null;
}

/** Lists the panel's latest runs, newest first; a click shows a run's result in the panel. */
export function EarlierResults({ form, shownId }: EarlierResultsProps) {
  const { runs, hasMore, showMore } = useRuns({ operation: form.operation, pageSize: 8 });
  const isOpen = useFolding((folding) => folding.isOpen);
  if (!runs.some(({ id }) => id !== shownId)) return null;
  return (
    <details
      className={classNames(styles.results, 'fixed')}
      open={isOpen}
      onToggle={({ currentTarget }) => useFolding.setState({ isOpen: currentTarget.open })}
    >
      <summary className="label">Earlier results</summary>
      {isOpen && (
        <>
          <ResultList runs={runs} shownId={shownId} onShow={(runId) => form.change({ runId })} />
          {hasMore && (
            <ActionBar>
              <Button size="small" variant="quiet" onClick={showMore}>
                Show more
              </Button>
            </ActionBar>
          )}
        </>
      )}
    </details>
  );
}

interface ResultListProps {
  runs: readonly RunSummary[];
  shownId: string | null;
  onShow: (runId: string) => void;
}

function ResultList({ runs, shownId, onShow }: ResultListProps) {
  const isBlind = useIsBlind();
  const roving = useRovingList({
    keys: runs.map(({ id }) => id),
    currentKey: shownId,
    getItemText: (index) => runs[index]?.preview ?? '',
  });
  const now = Date.now();
  return (
    <ul aria-label="Earlier results" className={styles.list} {...roving.listProps}>
      {runs.map((run, index) => {
        const total = getTotalMs(run);
        return (
          <li key={run.id} data-row={run.id}>
            <button
              type="button"
              tabIndex={roving.getTabIndex(index)}
              aria-current={run.id === shownId || undefined}
              className={classNames(styles.result, 'bare')}
              onClick={() => onShow(run.id)}
            >
              <span className="truncate" dir="auto">
                {run.preview || '–'}
              </span>
              <span className={classNames(styles.model, 'truncate')}>
                {isBlind(run) ? '' : run.model}
              </span>
              <span className={styles.status}>
                {run.status !== 'succeeded' || run.figures?.noResult != null ? (
                  <RunStatusMark run={run} />
                ) : (
                  total !== null && formatDuration(total)
                )}
              </span>
              <time className={styles.time} dateTime={new Date(run.createdAt).toISOString()}>
                {formatClock(run.createdAt, now)}
              </time>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
