import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { RunInput } from '../../../shared/run-input.ts';
import { api } from '../../lib/api.ts';

/**
 * What a run was asked, as its panel stated it; it never changes. Null until it has come, and for a run
 * that is gone. The panel's own boxes may have changed since.
 */
export function useRecordedInput(runId: string | null): RunInput | null {
  const { data } = useQuery({
    queryKey: keyOf(runId ?? ''),
    queryFn: async (): Promise<RunInput> => {
      const { request, extraBody, wireNames, follow } = await api.runs.get({ id: runId ?? '' });
      return { request, extraBody, wireNames, follow };
    },
    enabled: runId !== null,
    staleTime: 'static',
  });
  return data ?? null;
}

/** What was just started needs no asking. */
export function noteInput(queries: QueryClient, runId: string, input: RunInput): void {
  queries.setQueryData(keyOf(runId), input);
}

function keyOf(runId: string) {
  return ['recorded-input', runId] as const;
}
