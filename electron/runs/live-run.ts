/** A run while it goes on: numbers and times its events, keeps the folded view, wakes watchers. */
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { RunEvent, RunEventBody } from '../../shared/run.ts';
import { foldRun, type RunView } from '../../shared/run-view.ts';

export interface LiveRun<Name extends OperationName = OperationName> {
  /** Milliseconds since the run's start. */
  readonly now: () => number;
  view(): RunView<Name>;
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
export function createLiveRun<Name extends OperationName>(
  first: RunView<Name>,
  clock: () => number,
  ageMs = 0,
): LiveRun<Name> {
  const startedAt = clock() - ageMs;
  const abort = new AbortController();
  const waiting = new Set<() => void>();
  let view = first;

  const now = () => clock() - startedAt;

  return {
    now,
    view: () => view,
    signal: abort.signal,
    cancel: () => abort.abort(),
    record(body) {
      const event: RunEvent = { ...body, seq: view.seq + 1, atMs: now() };
      view = foldRun(view, event);
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
