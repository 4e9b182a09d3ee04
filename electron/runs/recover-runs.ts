/** What becomes, at the next start, of runs that were going on when main died. */
import { type AppError, appError } from '../../shared/errors.ts';
import { phaseTraits } from '../../shared/operations/phase.ts';
import type { RunEvent } from '../../shared/run.ts';
import { foldRun, type RunView } from '../../shared/run-view.ts';
import type { Ledger, StoredRun } from '../storage/ledger.ts';
import { storedView } from './stored-view.ts';

type RecoveredEnd = { status: 'interrupted' | 'unknown'; error: AppError };

export interface RecoveredRuns {
  /** Their views after the recorded end. */
  ended: RunView[];
  /** Those that go on by themselves, such as video tasks that the gateway has accepted. */
  continuing: { stored: StoredRun; view: RunView; nextExchange: number }[];
}

/** Ends every unfinished run as design.md says, but for those that go on. Nothing is sent again. */
export async function recoverRuns(ledger: Ledger): Promise<RecoveredRuns> {
  const recovered: RecoveredRuns = { ended: [], continuing: [] };
  for (const run of ledger.unfinished()) {
    const view = await storedView(ledger, run);
    if (phaseTraits[view.phase.name].outlivesMain) {
      recovered.continuing.push({
        stored: run,
        view,
        nextExchange: (ledger.lastExchange(run.id) ?? -1) + 1,
      });
      continue;
    }
    const event: RunEvent = {
      kind: 'error',
      seq: view.seq + 1,
      atMs: lastTime(ledger, run.id, view.seq),
      exchange: 0,
      timings: null,
      ...endOf(view),
    };
    const ended = foldRun(view, event);
    ledger.append(run.id, [event]);
    ledger.update(run.id, {
      status: ended.status,
      finishedAt: ended.finishedAt,
      error: ended.error,
      figures: ended.figures,
      seq: ended.seq,
    });
    recovered.ended.push(ended);
  }
  return recovered;
}

function endOf(view: RunView): RecoveredEnd {
  if (view.httpStatus !== null) {
    return {
      status: 'interrupted',
      error: appError(
        'interrupted',
        'Gatehouse ended while this answer was arriving. What had arrived is kept.',
        'Run it again if you need the rest.',
        {},
      ),
    };
  }
  if (view.startedAt !== null) {
    return {
      status: 'unknown',
      error: appError(
        'outcome-unknown',
        'Gatehouse ended after sending this request and before any answer came. It may have been carried out and billed.',
        "Check the gateway's own log before you run it again.",
        {},
      ),
    };
  }
  return {
    status: 'interrupted',
    error: appError(
      'interrupted',
      'Gatehouse ended before this request was sent. Nothing reached the gateway.',
      'Run it again.',
      {},
    ),
  };
}

function lastTime(ledger: Ledger, runId: string, seq: number): number {
  const last = ledger.events(runId, { after: Math.max(0, seq - 1), limit: 1, kinds: null });
  return last.events[0]?.atMs ?? 0;
}
