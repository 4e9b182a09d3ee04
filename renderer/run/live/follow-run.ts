import { ORPCError } from '@orpc/client';
import type { RunUpdate } from '../../../shared/contract/runs.ts';
import type { AppError } from '../../../shared/errors.ts';
import { applyPatch } from '../../../shared/patch.ts';
import { isFinished } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { toAppError } from '../../lib/app-error.ts';
import { waitForLink } from '../../lib/link-state.ts';
import { pause } from '../../lib/pause.ts';

export interface FollowOptions {
  watch: (after: number | null, signal: AbortSignal) => Promise<AsyncIterable<RunUpdate>>;
  known: () => RunView | null;
  /** `quietMs` is how many milliseconds have passed since the run's last event. */
  onView: (view: RunView, quietMs: number) => void;
  onProblem: (error: AppError) => void;
  signal: AbortSignal;
}

/** Follows a run until it ends, despite connection losses and missed updates; never rejects. */
export async function followRun(options: FollowOptions): Promise<void> {
  const { watch, known, onView, onProblem, signal } = options;
  let missed = false;
  while (!signal.aborted) {
    try {
      await waitForLink(signal);
      const updates = await watch(missed ? null : (known()?.seq ?? null), signal);
      missed = false;
      for await (const update of updates) {
        const view = updateView(known(), update);
        missed = view === null;
        if (view === null) break;
        onView(view, update.type === 'snapshot' ? update.quietMs : 0);
      }
      const last = known();
      if (!missed && last !== null && isFinished(last.status)) return;
    } catch (error) {
      if (signal.aborted) return;
      // An error from the main process is final; any other error means the connection was lost.
      if (error instanceof ORPCError) return onProblem(toAppError(error));
    }
    // After a missed or repeated update, fetch a snapshot immediately.
    if (!missed) await pause(rewatchMs, signal);
  }
}

const rewatchMs = 200;

/** Returns null if the update doesn't follow the known view. */
export function updateView(known: RunView | null, update: RunUpdate): RunView | null {
  if (update.type === 'snapshot') return update.view;
  if (known === null || known.seq !== update.from) return null;
  try {
    return { ...applyPatch(known, update.patch), seq: update.to };
  } catch {
    return null;
  }
}
