import { useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { isFinished } from '../../../shared/is-finished.ts';
import type { CompletionState } from '../../../shared/operations/completion-state.ts';
import type { RunView } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useRun, useRunProblem } from '../../lib/live-runs.ts';
import { type RunForm, useRunForm } from '../../run/use-run-form.ts';
import { type ShownRun, useCompletion } from './completion-store.ts';

export interface CompletionRun {
  form: RunForm;
  shown: ShownRun | null;
  view: RunView<CompletionState> | null;
  running: boolean;
  /** Main is being asked to start. */
  starting: boolean;
  /** The run was not started, or what came of stopping it; the run's own error is in `view`. */
  problem: AppError | null;
  start: (prompt: string) => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts, stops and watches the panel's run. */
export function useCompletionRun(): CompletionRun {
  const form = useRunForm('completion');
  const stored = useCompletion((state) => state.shown);
  const gone = useRunProblem(stored?.runId ?? null);
  const shown = gone?.kind === 'not-found' ? null : stored;
  const view = useRun<CompletionState>(shown?.runId ?? null);
  const [starting, setStarting] = useState(false);
  const [problem, setProblem] = useState<AppError | null>(null);

  async function start(prompt: string): Promise<void> {
    if (form.ready === null || starting) return;
    const { suffix, showRun } = useCompletion.getState();
    const { connectionId, request, extraBody } = form.ready;
    setStarting(true);
    setProblem(null);
    try {
      const { runId } = await api.runs.start({
        connectionId,
        operation: 'completion',
        request: { ...request, prompt, ...(suffix !== '' && { suffix }) },
        extraBody,
      });
      showRun({ runId, prompt, suffix, echo: (extraBody.echo ?? request.echo) === true });
    } catch (error) {
      setProblem(toAppError(error));
    } finally {
      setStarting(false);
    }
  }

  async function stop(): Promise<void> {
    if (shown === null) return;
    try {
      await api.runs.cancel({ id: shown.runId });
    } catch (error) {
      setProblem(toAppError(error));
    }
  }

  const running = shown !== null && view !== null && !isFinished(view.status);
  const unwatched = gone?.kind === 'not-found' ? null : gone;
  return { form, shown, view, running, starting, problem: problem ?? unwatched, start, stop };
}
