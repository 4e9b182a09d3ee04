import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AppError, FieldError } from '../../../shared/errors.ts';
import type { FormValues } from '../../../shared/form.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { isFinished, type RunStatus } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { getFieldErrors } from '../../lib/field-errors.ts';
import { selectInspectedRun } from '../../lib/layout.ts';
import { showInlineNote } from '../../ui/inline-note.ts';
import { type ComparedInput, type InputMapping, omitUnsent } from '../compare/compared-input.ts';
import { useComparison } from '../compare/live-comparisons.ts';
import { type Comparing, useComparing } from '../compare/use-comparing.ts';
import { changeWithUndo } from '../form/change-with-undo.ts';
import type { Form } from '../form/form.ts';
import { askForGateway } from '../form/pasted-notice.ts';
import { useReopened } from '../form/reopen.ts';
import type { ReadyRun } from '../form/resolve-form.ts';
import { showRunBlock } from '../form/run-block.ts';
import { getTextRun } from '../form/text-source.ts';
import { useForm, useLoaded } from '../form/use-form.ts';
import { type Readiness, useReadyRun } from '../form/use-ready-run.ts';
import { useStartFailure } from '../form/use-start-failure.ts';
import { useRunPart, useRunProblem, watchAgain } from '../live/live-runs.ts';
import { useRunOnScreen } from '../live/on-screen.ts';
import { cacheInput } from '../live/recorded-input.ts';
import { usePanelRequest, type ViewedRequest } from '../views/viewed-request.ts';

export interface RunControl {
  /** Null if there's no run or it was deleted. */
  runId: string | null;
  /** Undefined until the run loads. */
  status: RunStatus | undefined;
  running: boolean;
  /** True until the start request is answered. */
  starting: boolean;
  /** The error from starting, stopping or loading; the run's own error is shown in the result. */
  problem: AppError | null;
  /** Retries the failed call, or starts despite a daily cap; null if neither is possible. */
  retry: (() => void) | null;
  fieldErrors: readonly FieldError[];
  /** Resolves with the run ID; null if the run didn't start. */
  start: (run: ReadyRun) => Promise<string | null>;
  stop: () => Promise<void>;
}

export function useRunControl(form: Form<OperationName>): RunControl {
  const queries = useQueryClient();
  const stored = useForm(form, (values) => values.runId);
  const gone = useRunProblem(stored);
  const deleted = gone?.kind === 'not-found';
  const runId = deleted ? null : stored;
  // Subscribing to the whole view would re-render the panel on every delta.
  const status = useRunPart(runId, (view) => view.status);
  const [starting, setStarting] = useState(false);
  const failure = useStartFailure(form);
  const [stopFailure, setStopFailure] = useState<AppError | null>(null);

  async function start(run: ReadyRun, overCap = false): Promise<string | null> {
    if (starting) {
      showInlineNote(document.activeElement ?? document.body, 'Starting…');
      return null;
    }
    const answer = askForGateway(form);
    if (answer !== null && !(await answer)) return null;
    setStarting(true);
    failure.clear();
    setStopFailure(null);
    try {
      const { connectionId, ...ready } = run;
      const input = { ...ready, follow: null };
      const sourceRunId = getTextRun(form, ready.request);
      const started = await api.runs.start({
        connectionId,
        operation: form.operation,
        overCap,
        sourceRunId,
        ...input,
      });
      cacheInput(queries, started.runId, input);
      form.change({ runId: started.runId });
      selectInspectedRun(null);
      return started.runId;
    } catch (error) {
      failure.fail(toAppError(error), () => void start(run, true));
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

  const problem = failure.problem ?? stopFailure ?? (deleted ? null : gone);
  return {
    runId,
    status,
    running: status !== undefined && !isFinished(status),
    starting,
    problem,
    retry: problem === null || problem === failure.problem ? failure.runAnyway : retry,
    fieldErrors: getFieldErrors(problem),
    start,
    stop,
  };
}

type PartialInput = Partial<FormValues<OperationName>['input']>;

export interface PanelRun extends Omit<RunControl, 'start'>, Readiness {
  /** Adds the panel's fields and starts a run, or a comparison in compare mode. */
  start: (own: JsonObject) => Promise<string | null>;
  /** Fills in an example, with Undo, and runs it; `sent` overrides input in the request. */
  runExample: (example: PartialInput, sent?: PartialInput) => Promise<string | null>;
  compare: Comparing;
  /** The request for the JSON and Code views. */
  viewed: ViewedRequest;
}

const noMapping: InputMapping = { write: () => ({}), read: () => ({}) };

/** Also fills in the input when a run is reopened. */
export function usePanelRun(form: Form<OperationName>, input: ComparedInput): PanelRun {
  useLoaded(form);
  const readiness = useReadyRun(form);
  const control = useRunControl(form);
  const compare = useComparing(form, input);
  const viewed = usePanelRequest(form, input.own ?? noMapping, readiness);
  const { ready } = readiness;
  const cells = useComparison(compare.comparisonId)?.cells ?? [];
  const lastCell = cells.findLast(({ run }) => run !== null);
  useRunOnScreen(compare.isOn ? (lastCell?.run?.id ?? null) : control.runId);
  useReopened(form.operation, ({ request }) => {
    if (input.own !== undefined) form.change({ input: input.own.read(request) });
  });

  function runExample(example: PartialInput, sent: PartialInput = {}) {
    changeWithUndo(form, () => form.change({ input: example }), 'Input replaced by the example');
    return start(input.own?.write({ ...form.state.getState().values.input, ...sent }) ?? {});
  }

  async function start(own: JsonObject): Promise<string | null> {
    if (compare.isOn) {
      await (compare.blocked === null ? compare.start(own) : showRunBlock());
      return null;
    }
    if (ready === null) {
      showRunBlock();
      return null;
    }
    const { request } = ready;
    const sent = omitUnsent(form.operation, [ready], own);
    return control.start({ ...ready, request: { ...request, ...sent } });
  }

  if (!compare.isOn) return { ...control, ...readiness, start, runExample, compare, viewed };
  const { running, starting, problem, retry, stop, blocked } = compare;
  const fieldErrors = getFieldErrors(problem);
  const compared = { running, starting, problem, retry, stop, blocked, fieldErrors };
  return { ...control, ...readiness, ...compared, start, runExample, compare, viewed };
}
