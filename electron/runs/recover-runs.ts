/** Ends or continues runs that were active when the main process exited. */

import { phaseTraits, type RunEvent, type RunSummary } from '../../shared/run.ts';
import { foldRun, getQuantities, type RunView } from '../../shared/run-view.ts';
import type { Ledger, StoredRun } from '../storage/ledger.ts';
import { isCorruption } from '../storage/storage-error.ts';
import { resultAfterShutdown } from './ending.ts';
import type { RunnerOptions } from './runner.ts';
import { emptyView, readStoredView } from './stored-view.ts';

/** A run that needs no new request, such as a video task that the gateway has accepted. */
export interface ContinuingRun {
  stored: StoredRun;
  view: RunView;
  nextExchange: number;
  lastAtMs: number;
}

/**
 * Ends unfinished runs without resending and returns those to continue; may call `onEnd` again
 * after a crash. If `isRestored`, the runs come from a backup, so that only the user continues them.
 */
export async function recoverRuns(
  ledger: Ledger,
  options: Pick<RunnerOptions, 'onEnd' | 'estimateCost'>,
  isRestored: boolean,
): Promise<ContinuingRun[]> {
  const continuing: ContinuingRun[] = [];
  for (const run of ledger.listUnfinished()) {
    const view = await wholeView(ledger, run);
    if (view === null) endUnread(ledger, run, options);
    else if (phaseTraits[view.phase.name].outlivesMain) {
      if (isRestored) await stopFollowing(ledger, run);
      else continuing.push(resumeRun(ledger, run, view));
    } else endRun(ledger, view, options);
  }
  return continuing;
}

/** Returns null if a damaged page hides some events, because the rest may be misleading. */
async function wholeView(ledger: Ledger, run: StoredRun): Promise<RunView | null> {
  try {
    return await readStoredView(ledger, run);
  } catch (cause) {
    if (!isCorruption(cause)) throw cause;
    return null;
  }
}

function endRun(
  ledger: Ledger,
  view: RunView,
  { onEnd, estimateCost }: Pick<RunnerOptions, 'onEnd' | 'estimateCost'>,
): void {
  const event: RunEvent = {
    kind: 'error',
    seq: view.seq + 1,
    atMs: lastTime(ledger, view.id, view.seq),
    exchange: 0,
    timings: null,
    ...resultAfterShutdown(getProgress(view)),
  };
  const ended = foldRun(view, event);
  ledger.append(view.id, [event]);
  const quantities = getQuantities(ended);
  onEnd(ended);
  ledger.update(view.id, {
    status: ended.status,
    finishedAt: ended.finishedAt,
    error: ended.error,
    figures: ended.figures,
    media: ended.media,
    cost: estimateCost(ended, quantities),
    quantities,
    seq: ended.seq,
  });
}

/** Ends the run without adding an event, because the last event's number is unknown. */
function endUnread(ledger: Ledger, run: StoredRun, { onEnd }: Pick<RunnerOptions, 'onEnd'>): void {
  const ended = {
    ...emptyView(run),
    ...resultAfterShutdown(getProgress(run)),
    finishedAt: run.startedAt ?? run.createdAt,
  };
  onEnd(ended);
  const { status, error, finishedAt } = ended;
  ledger.update(run.id, { status, error, finishedAt });
}

export function resumeRun(ledger: Ledger, stored: StoredRun, view: RunView): ContinuingRun {
  const lastAtMs = lastTime(ledger, stored.id, view.seq);
  const last = ledger.lastExchange(stored.id);
  const whole = withExchangeEnd(ledger, view, last, lastAtMs);
  return { stored, view: whole, nextExchange: (last ?? -1) + 1, lastAtMs };
}

export async function stopFollowing(ledger: Ledger, run: StoredRun): Promise<void> {
  const view = await readStoredView(ledger, run);
  const atMs = lastTime(ledger, run.id, view.seq);
  const event: RunEvent = { kind: 'following', seq: view.seq + 1, atMs, exchange: 0, on: false };
  ledger.append(run.id, [event]);
  const { phase, seq } = foldRun(view, event);
  ledger.update(run.id, { phase, seq });
}

function withExchangeEnd(
  ledger: Ledger,
  view: RunView,
  exchange: number | null,
  atMs: number,
): RunView {
  if (exchange === null) return view;
  const page = { after: 0, limit: 1, kinds: ['exchange-end' as const], exchange };
  if (ledger.events(view.id, page).events.length > 0) return view;
  const event: RunEvent = {
    kind: 'exchange-end',
    seq: view.seq + 1,
    atMs,
    exchange,
    status: 'interrupted',
    error: null,
    timings: null,
  };
  ledger.append(view.id, [event]);
  return foldRun(view, event);
}

function getProgress({ httpStatus, startedAt }: RunSummary) {
  if (httpStatus !== null) return 'answered';
  return startedAt === null ? 'unsent' : 'sent';
}

function lastTime(ledger: Ledger, runId: string, seq: number): number {
  const last = ledger.events(runId, { after: Math.max(0, seq - 1), limit: 1, kinds: null });
  return last.events[0]?.atMs ?? 0;
}
