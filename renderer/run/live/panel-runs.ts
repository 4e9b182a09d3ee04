import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { OperationName } from '../../../shared/operations/operation-name.ts';

interface PanelRuns {
  /** The run that each panel shows, also after a reload; a panel that shows none is not in it. */
  runIds: Partial<Record<OperationName, string>>;
}

export const usePanelRuns = create<PanelRuns>()(
  persist((): PanelRuns => ({ runIds: {} }), { name: 'gatehouse:panel-runs' }),
);

/** The panel shows this run from now on; null clears its result, the run stays in the history. */
export function showRun(operation: OperationName, runId: string | null): void {
  usePanelRuns.setState(({ runIds: { [operation]: _before, ...others } }) => ({
    runIds: runId === null ? others : { ...others, [operation]: runId },
  }));
}
