import { useEffect, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { toAppError } from '../../../lib/app-error.ts';
import type { VectorSet } from './use-vectors.ts';
import type { TaskInput, TaskName, TaskOutput } from './vector-worker.ts';

export interface Task<Output> {
  /** The output for the current input; null until it is ready. */
  output: Output | null;
  error: AppError | null;
}

interface Settled<Name extends TaskName> extends Task<TaskOutput<Name>> {
  vectors: VectorSet;
  input: TaskInput<Name>;
}

/** Recomputes if `input` is a different object; null computes nothing. */
export function useTask<Name extends TaskName>(
  vectors: VectorSet | null,
  name: Name,
  input: TaskInput<Name> | null,
): Task<TaskOutput<Name>> {
  const [settled, setSettled] = useState<Settled<Name> | null>(null);
  useEffect(() => {
    if (vectors === null || input === null) return undefined;
    let isCurrent = true;
    const settle = (task: Task<TaskOutput<Name>>) => {
      if (isCurrent) setSettled({ ...task, vectors, input });
    };
    vectors.compute(name, input).then(
      (output) => settle({ output, error: null }),
      (cause: unknown) => settle({ output: null, error: toAppError(cause) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [vectors, name, input]);
  const isCurrent = settled !== null && settled.vectors === vectors && settled.input === input;
  return isCurrent ? settled : { output: null, error: null };
}
