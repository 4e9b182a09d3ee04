import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AppError, FieldError } from '../../../shared/errors.ts';
import { isFinished } from '../../../shared/is-finished.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunStatus } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { fieldsOf } from '../../lib/field-errors.ts';
import { selectInspectedRun } from '../../lib/layout.ts';
import { noteAt } from '../../ui/note-at.ts';
import type { Form } from '../form/form.ts';
import { useForm } from '../form/use-form.ts';
import { type Readiness, type ReadyRun, useReadyRun } from '../form/use-ready-run.ts';
import { refuseRun } from '../frame/refusal.ts';
import { useRunPart, useRunProblem, watchAgain } from './live-runs.ts';
import { noteInput } from './recorded-input.ts';

export interface RunControl {
  /** The run that the form shows, also after a reload; null where there is none or it was deleted. */
  runId: string | null;
  /** Undefined until it is loaded. */
  status: RunStatus | undefined;
  running: boolean;
  /** The start has been sent to main. */
  starting: boolean;
  /** Why the run was not started, stopped or found; the run's own error is in its result. */
  problem: AppError | null;
  /** Does again what `problem` kept from being done, where that was not the start; null otherwise. */
  retry: (() => void) | null;
  /** What main found wrong with single fields of the last request. */
  fieldErrors: readonly FieldError[];
  /** Resolves with the run's ID, or null where it was not started. */
  start: (run: ReadyRun) => Promise<string | null>;
  stop: () => Promise<void>;
}

/** Starts, stops and watches the run that a form shows. */
export function useRunControl(form: Form<OperationName>): RunControl {
  const queries = useQueryClient();
  const stored = useForm(form, (values) => values.runId);
  const gone = useRunProblem(stored);
  const deleted = gone?.kind === 'not-found';
  const runId = deleted ? null : stored;
  // Not the whole view: the panel would draw itself and its form again with every piece of text.
  const status = useRunPart(runId, (view) => view.status);
  const [starting, setStarting] = useState(false);
  const [startFailure, setStartFailure] = useState<AppError | null>(null);
  const [stopFailure, setStopFailure] = useState<AppError | null>(null);

  async function start({ connectionId, ...ready }: ReadyRun): Promise<string | null> {
    if (starting) {
      noteAt(document.activeElement ?? document.body, 'Still starting');
      return null;
    }
    setStarting(true);
    setStartFailure(null);
    setStopFailure(null);
    try {
      const input = { ...ready, follow: null };
      const started = await api.runs.start({ connectionId, operation: form.operation, ...input });
      noteInput(queries, started.runId, input);
      form.change({ runId: started.runId });
      selectInspectedRun(null);
      return started.runId;
    } catch (error) {
      setStartFailure(toAppError(error));
      return null;
    } finally {
      setStarting(false);
    }
  }

  async function stop(): Promise<void> {
    if (runId === null) return;
    setStopFailure(null);
    try {
      await api.runs.cancel({ id: runId });
    } catch (error) {
      setStopFailure(toAppError(error));
    }
  }

  function retry(): void {
    if (stopFailure !== null) void stop();
    else if (stored !== null) watchAgain(stored);
  }

  const problem = startFailure ?? stopFailure ?? (deleted ? null : gone);
  return {
    runId,
    status,
    running: status !== undefined && !isFinished(status),
    starting,
    problem,
    retry: problem === null || problem === startFailure ? null : retry,
    fieldErrors: fieldsOf(problem),
    start,
    stop,
  };
}

export interface PanelRun extends Omit<RunControl, 'start'>, Readiness {
  /** Adds what the panel owns (`prompt`, `documents`, …) to model and parameters, and starts; Run says why where it cannot. */
  start: (own: JsonObject) => Promise<string | null>;
}

/** The run of a form that has a model and parameters. */
export function usePanelRun(form: Form<OperationName>): PanelRun {
  const readiness = useReadyRun(form);
  const control = useRunControl(form);
  const { ready } = readiness;

  async function start(own: JsonObject): Promise<string | null> {
    if (ready === null) {
      refuseRun();
      return null;
    }
    return control.start({ ...ready, request: { ...ready.request, ...own } });
  }

  return { ...control, ...readiness, start };
}
