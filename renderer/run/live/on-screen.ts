/** Tells the inspector which run the panel shows and which request it would send next. */
import { useEffect } from 'react';
import { create } from 'zustand';
import type { NextRequestInput } from '../../../shared/contract/conversations.ts';
import { useLayout } from '../../lib/layout.ts';

export type NextRequest =
  | { blocked: string }
  | {
      input: NextRequestInput;
      /** Changes whenever the same input may result in another request. */
      basis: readonly unknown[];
      /** Describes missing parts of the request; null if it is complete. */
      note: string | null;
    };

interface OnScreen {
  /** Null if the panel shows no run. */
  runId: string | null;
  /** Whether the panel can describe its next request. */
  offersNext: boolean;
  /** Null until the inspector shows it. */
  next: NextRequest | null;
}

export const useOnScreen = create<OnScreen>(() => ({ runId: null, offersNext: false, next: null }));

export function useRunOnScreen(runId: string | null): void {
  useEffect(() => {
    useOnScreen.setState({ runId });
    return () => useOnScreen.setState({ runId: null });
  }, [runId]);
}

/** Returns true if the user chose the next request, or if there's no run to show instead. */
export function useShowsNextRequest(): boolean {
  const isChosen = useLayout((layout) => layout.inspectsNextRequest);
  const hasChosenRun = useLayout((layout) => layout.inspectedRunId !== null);
  const { offersNext, runId } = useOnScreen();
  return offersNext && (isChosen || (!hasChosenRun && runId === null));
}
