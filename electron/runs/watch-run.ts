/** One watcher of a live run: a snapshot, then what changed, joined per flush. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunUpdate } from '../../shared/contract/runs.ts';
import { isFinished } from '../../shared/is-finished.ts';
import { diff } from '../../shared/patch.ts';
import type { LiveRun } from './live-run.ts';

/** Updates closer together than this are joined: far cheaper than an event per token. */
const FLUSH_MS = 12;

/**
 * Yields until the run has finished or `signal` aborts. `after` is the number the watcher already
 * holds: where main still stands there, it is sent nothing again.
 */
export async function* watchRun(
  run: LiveRun,
  after: number | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunUpdate, void> {
  let sent = run.view();
  if (after !== sent.seq) yield { type: 'snapshot', seq: sent.seq, view: sent };
  while (!signal?.aborted) {
    if (run.view().seq === sent.seq) {
      if (isFinished(sent.status)) return;
      await run.changed(signal);
      continue;
    }
    if (!isFinished(run.view().status)) {
      await pause(FLUSH_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
      if (signal?.aborted) return;
    }
    const view = run.view();
    yield { type: 'update', from: sent.seq, to: view.seq, patch: diff(sent, view) };
    sent = view;
  }
}
