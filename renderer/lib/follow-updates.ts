import { ORPCError } from '@orpc/client';
import type { AppError } from '../../shared/errors.ts';
import { toAppError } from './app-error.ts';
import { waitForLink } from './link-state.ts';
import { pause } from './pause.ts';

interface FollowOptions<Update> {
  watch: () => Promise<AsyncIterable<Update>>;
  onUpdate: (update: Update) => void;
  onProblem: (error: AppError) => void;
  signal: AbortSignal;
}

const rewatchMs = 200;

/** Watches until `signal` aborts, despite connection losses; never rejects. */
export async function followUpdates<Update>(options: FollowOptions<Update>): Promise<void> {
  const { watch, onUpdate, onProblem, signal } = options;
  while (!signal.aborted) {
    try {
      await waitForLink(signal);
      for await (const update of await watch()) {
        if (signal.aborted) return;
        onUpdate(update);
      }
    } catch (error) {
      if (signal.aborted) return;
      // An error from the main process is final; any other error means the connection was lost.
      if (error instanceof ORPCError) return onProblem(toAppError(error));
    }
    await pause(rewatchMs, signal);
  }
}
