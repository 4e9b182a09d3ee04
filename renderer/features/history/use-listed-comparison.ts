import { skipToken, useQuery } from '@tanstack/react-query';
import { orpc } from '../../lib/api.ts';

/** Returns undefined while loading, and null if the comparison was deleted. */
export function useListedComparison(comparisonId: string | null) {
  const filter = { connectionId: null, operation: null, status: null };
  const input = { ...filter, comparisonId, folded: true, before: null, limit: 1 };
  const { data, error, refetch } = useQuery(
    orpc.runs.list.queryOptions({ input: comparisonId === null ? skipToken : input }),
  );
  const comparison = data?.comparisons[0];
  const run = data?.runs[0];
  const entry =
    comparison === undefined || run === undefined
      ? null
      : { id: comparison.id, run, comparison, check: null };
  return { entry: data === undefined ? undefined : entry, error, refetch };
}
