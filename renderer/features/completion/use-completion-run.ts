import { useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { isFinished } from '../../../shared/is-finished.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useRunPart, useRunProblem } from '../../lib/live-runs.ts';
import { type RunForm, useRunForm } from '../../run/use-run-form.ts';
import { type ShownRun, useCompletion } from './completion-store.ts';

export interface CompletionRun {
  form: RunForm;
  shown: ShownRun | null;
  running: boolean;
  /** Main is being asked to start. */
  starting: boolean;
  /** Why the run was not started, stopped or found; its own error stands in the result. */
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
  // Not the whole view: the panel would draw itself and the form again with every piece of text.
  const status = useRunPart(shown?.runId ?? null, (view) => view.status);
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

  const running = status !== undefined && !isFinished(status);
  const unwatched = gone?.kind === 'not-found' ? null : gone;
  return { form, shown, running, starting, problem: problem ?? unwatched, start, stop };
}
