/** Ends or continues runs that were active when the main process exited. */

import { isFinished, phaseTraits, type RunEvent, type RunSummary } from '../../shared/run.ts';
import { foldRun, getQuantities, type RunView } from '../../shared/run-view.ts';
import type { Ledger, StoredRun } from '../storage/ledger.ts';
import { isCorruption } from '../storage/storage-error.ts';
import { compareRun, getResultAfterShutdown } from './ending.ts';
import type { RunnerOptions } from './runner.ts';
import { createEmptyView, readRecordedView, readStoredView } from './stored-view.ts';

/** A run that needs no new request, such as a video task that the gateway has accepted. */
export interface ContinuingRun {
  stored: StoredRun;
  view: RunView;
  nextExchange: number;
  lastAtMs: number;
}

type RecoveryOptions = Pick<RunnerOptions, 'onChange' | 'onEnd' | 'estimateCost' | 'media'>;

/**
 * Ends an unfinished run without resending, or returns it to continue; may call `onEnd` again
 * after a crash. If `isRestored`, the run comes from a backup, so that only the user continues it.
 */
export async function endOrContinue(
  ledger: Ledger,
  run: StoredRun,
  options: RecoveryOptions,
  isRestored: boolean,
): Promise<ContinuingRun | null> {
  const view = await readWholeView(ledger, run);
  if (view === null) endUnread(ledger, run, options);
  else if (isFinished(view.status)) saveEnd(ledger, run, view, options);
  else if (phaseTraits[view.phase.name].outlivesMain) {
    if (!isRestored) return resumeRun(ledger, run, view);
    await stopFollowing(ledger, run);
  } else endRun(ledger, run, view, options);
  return null;
}

/** Returns null if a damaged page hides some events, because the rest may be misleading. */
async function readWholeView(ledger: Ledger, run: StoredRun): Promise<RunView | null> {
  try {
    return await readRecordedView(ledger, run);
  } catch (cause) {
    if (!isCorruption(cause)) throw cause;
    return null;
  }
}

function endRun(ledger: Ledger, run: StoredRun, view: RunView, options: RecoveryOptions): void {
  const event: RunEvent = {
    kind: 'error',
    seq: view.seq + 1,
    atMs: getLastTime(ledger, view.id, view.seq),
    exchange: 0,
    timings: null,
    ...getResultAfterShutdown(getProgress(view)),
  };
  ledger.append(view.id, [event]);
  saveEnd(ledger, run, foldRun(view, event), options);
}

/** Saves an ending that is in the events but not yet in the run's row. */
function saveEnd(
  ledger: Ledger,
  run: StoredRun,
  view: RunView,
  { onChange, onEnd, estimateCost, media: store }: RecoveryOptions,
): void {
  const quantities = getQuantities(view);
  const cost = estimateCost(view, quantities);
  const ended = { ...view, cost, findings: compareRun(view, run, store) };
  onEnd(ended);
  const { status, finishedAt, error, timings, figures, media, findings, seq } = ended;
  ledger.update(view.id, {
    status,
    finishedAt,
    error,
    timings,
    figures,
    media,
    cost,
    findings,
    quantities,
    seq,
  });
  onChange(ended);
}

/** Ends the run without adding an event, because the last event's number is unknown. */
function endUnread(ledger: Ledger, run: StoredRun, { onChange, onEnd }: RecoveryOptions): void {
  const ended = {
    ...createEmptyView(run),
    ...getResultAfterShutdown(getProgress(run)),
    finishedAt: run.startedAt ?? run.createdAt,
  };
  onEnd(ended);
  const { status, error, finishedAt } = ended;
  ledger.update(run.id, { status, error, finishedAt });
  onChange(ended);
}

export function resumeRun(ledger: Ledger, stored: StoredRun, view: RunView): ContinuingRun {
  const lastAtMs = getLastTime(ledger, stored.id, view.seq);
  const last = ledger.lastExchange(stored.id);
  const whole = withExchangeEnd(ledger, view, last, lastAtMs);
  return { stored, view: whole, nextExchange: (last ?? -1) + 1, lastAtMs };
}

export async function stopFollowing(ledger: Ledger, run: StoredRun): Promise<void> {
  const view = await readStoredView(ledger, run);
  const atMs = getLastTime(ledger, run.id, view.seq);
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

function getLastTime(ledger: Ledger, runId: string, seq: number): number {
  const last = ledger.events(runId, { after: Math.max(0, seq - 1), limit: 1, kinds: null });
  return last.events[0]?.atMs ?? 0;
}
