import { useEffect, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { isSameJson } from '../../../shared/json.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Form } from './form.ts';

interface StartFailure {
  problem: AppError | null;
  /** Starts despite a daily cap; null if the error has another cause. */
  runAnyway: (() => void) | null;
  fail: (problem: AppError, runAnyway: () => void) => void;
  clear: () => void;
}

/** Changing the form dismisses the daily cap question. */
export function useStartFailure(form: Form<OperationName>): StartFailure {
  const [failed, setFailed] = useState<{ problem: AppError; runAnyway: () => void } | null>(null);
  const problem = failed?.problem ?? null;
  const isQuestion = problem?.kind === 'beyond-cap';
  useEffect(() => {
    if (!isQuestion) return;
    const asked = form.state.getState().values;
    return form.state.subscribe(({ values }) => {
      if (!isSameJson(values, asked)) setFailed(null);
    });
  }, [form, isQuestion]);
  return {
    problem,
    runAnyway: isQuestion ? (failed?.runAnyway ?? null) : null,
    fail: (problem, runAnyway) => setFailed({ problem, runAnyway }),
    clear: () => setFailed(null),
  };
}
