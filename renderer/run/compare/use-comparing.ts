/** Runs a panel's input on every variant if compare mode is on. */
import { useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { selectInspectedRun } from '../../lib/layout.ts';
import { showInlineNote } from '../../ui/inline-note.ts';
import type { Form } from '../form/form.ts';
import { askForGateway } from '../form/pasted-notice.ts';
import type { RunBlock } from '../form/run-block.ts';
import { useConnection } from '../form/use-connection.ts';
import { useForm } from '../form/use-form.ts';
import { useStartFailure } from '../form/use-start-failure.ts';
import { blocksRun } from './cell-status.ts';
import type { ComparedInput } from './compared-input.ts';
import { useComparison, useComparisonProblem, watchComparisonAgain } from './live-comparisons.ts';
import { useOpenedComparison } from './open-comparison.ts';
import { hideNames, planComparison, sendComparison } from './send-comparison.ts';
import { findVariantsProblem, setComparing, usesFormModel } from './variants.ts';

export interface Comparing {
  isOn: boolean;
  form: Form<OperationName>;
  input: ComparedInput;
  /** Null if there is no comparison or the comparison was deleted. */
  comparisonId: string | null;
  running: boolean;
  starting: boolean;
  problem: AppError | null;
  retry: (() => void) | null;
  blocked: RunBlock | null;
  start: (own: JsonObject) => Promise<void>;
  stop: () => Promise<void>;
  toggle: () => void;
  /** False if no included variant uses the panel's model, so that the panel doesn't show it. */
  usesFormModel: boolean;
}

export function useComparing(form: Form<OperationName>, input: ComparedInput): Comparing {
  useOpenedComparison(form, input);
  const isOn = useForm(form, ({ comparing }) => comparing);
  const stored = useForm(form, ({ comparisonId }) => comparisonId);
  const connectionId = useConnection(form)?.id ?? null;
  const usesForm = useForm(form, ({ variants }) =>
    usesFormModel(Object.values(variants), connectionId),
  );
  const noVariants = useForm(form, ({ variants }) => findVariantsProblem(Object.values(variants)));
  const shown = isOn ? stored : null;
  const live = useComparison(shown);
  const gone = useComparisonProblem(shown);
  const [starting, setStarting] = useState(false);
  const failure = useStartFailure(form);
  const [stopFailure, setStopFailure] = useState<AppError | null>(null);
  const isDeleted = gone?.kind === 'not-found';

  async function start(own: JsonObject, overCap = false): Promise<void> {
    if (starting) {
      showInlineNote(document.activeElement ?? document.body, 'Starting…');
      return;
    }
    const answer = askForGateway(form);
    if (answer !== null && !(await answer)) return;
    const fail = (problem: AppError) => failure.fail(problem, () => void start(own, true));
    setStarting(true);
    failure.clear();
    setStopFailure(null);
    try {
      const planned = await planComparison(form, own, input);
      if (!planned.ok) {
        fail(planned.problem);
        return;
      }
      const comparisonId = await sendComparison(
        form.id,
        planned.plan,
        overCap,
        isDeleted ? null : stored,
      );
      if (comparisonId === null) return;
      await hideNames(form, comparisonId, planned.plan.variants);
      form.change({ comparisonId });
      selectInspectedRun(null);
    } catch (error) {
      fail(toAppError(error));
    } finally {
      setStarting(false);
    }
  }

  async function stop(): Promise<void> {
    if (stored === null) return;
    setStopFailure(null);
    const places = live?.cells.filter(blocksRun).map(({ place }) => place) ?? null;
    try {
      await api.comparisons.stop({ id: stored, places });
    } catch (error) {
      setStopFailure(toAppError(error));
    }
  }

  function retry(): void {
    if (stopFailure !== null) void stop();
    else if (stored !== null) watchComparisonAgain(stored);
  }

  const problem = failure.problem ?? stopFailure ?? (isDeleted ? null : gone);
  return {
    isOn,
    form,
    input,
    comparisonId: isDeleted ? null : stored,
    running: live?.cells.some(blocksRun) ?? false,
    // The status is unknown while the comparison is loading.
    starting: starting || (shown !== null && live === null && gone === null),
    problem,
    retry: problem === null || problem === failure.problem ? failure.runAnyway : retry,
    blocked: noVariants === null ? null : { reason: noVariants },
    start: (own) => start(own),
    stop,
    toggle: () => setComparing(form, !isOn, connectionId),
    usesFormModel: !isOn || noVariants !== null || usesForm,
  };
}
