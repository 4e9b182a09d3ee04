/** A run while it goes on: numbers and times its events, keeps the folded view, wakes watchers. */
import { foldRun } from '../../shared/fold-run.ts';
import type { JsonValue } from '../../shared/json.ts';
import type { RunEvent, RunEventBody, RunView } from '../../shared/run.ts';
import type { AnyOperation } from '../operations/operations.ts';

export interface LiveRun {
  /** Milliseconds since the run's start. */
  readonly now: () => number;
  view(): RunView;
  state(): JsonValue;
  /** Numbers, times and folds one event; answers it as it is to be stored. */
  record(body: RunEventBody): RunEvent;
  /** Resolves at the next event, or when `signal` aborts. */
  changed(signal: AbortSignal | undefined): Promise<void>;
  cancel(): void;
  readonly signal: AbortSignal;
}

/**
 * `clock` counts milliseconds from any fixed point; `ageMs` is how long ago the run started, where an
 * earlier process began it.
 */
export function createLiveRun(
  operation: Pick<AnyOperation, 'fold' | 'figures'>,
  first: RunView,
  clock: () => number,
  ageMs = 0,
): LiveRun {
  const startedAt = clock() - ageMs;
  const abort = new AbortController();
  const waiting = new Set<() => void>();
  let view = first;

  const now = () => clock() - startedAt;

  return {
    now,
    view: () => view,
    state: () => view.state,
    signal: abort.signal,
    cancel: () => abort.abort(),
    record(body) {
      const event: RunEvent = { ...body, seq: view.seq + 1, atMs: now() };
      view = foldRun(operation, view, event);
      for (const wake of waiting) wake();
      waiting.clear();
      return event;
    },
    changed(signal) {
      return new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        if (signal?.aborted) return resolve();
        signal?.addEventListener('abort', wake);
        waiting.add(wake);
      });
    },
  };
}
