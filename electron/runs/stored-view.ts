/** The view of a run that is no longer live, folded again from the ledger. */
import { setImmediate as breathe } from 'node:timers/promises';
import { foldRun } from '../../shared/fold-run.ts';
import type { RunView } from '../../shared/run.ts';
import type { AnyOperation } from '../operations/operations.ts';
import type { Ledger, StoredRun } from '../storage/ledger.ts';

/** Events folded between two breaths, so that a long run never holds main's thread. */
const PAGE = 2000;

/** The view before any event. */
export function emptyView(run: StoredRun, operation: AnyOperation): RunView {
  const {
    request: _request,
    extraBody: _extra,
    wireNames: _names,
    follow: _task,
    baseUrl: _base,
    ...summary
  } = run;
  return { ...summary, seq: 0, state: operation.initialState };
}

/** Folds every recorded event; the ledger's own status wins where no event says how it ended. */
export async function storedView(
  ledger: Ledger,
  run: StoredRun,
  operation: AnyOperation,
): Promise<RunView> {
  let view = emptyView(run, operation);
  for (;;) {
    const page = ledger.events(run.id, { after: view.seq, limit: PAGE, kinds: null });
    for (const event of page.events) view = foldRun(operation, view, event);
    if (!page.more) return { ...view, status: run.status };
    await breathe();
  }
}
