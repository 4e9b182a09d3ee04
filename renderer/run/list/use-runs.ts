import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunFilterStatus, RunSummary } from '../../../shared/run.ts';
import { newestFirst, type RunSort } from '../../../shared/run-sort.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';

/** Null and undefined filters match all runs. */
interface RunFilter {
  connectionId?: string | null;
  operation?: OperationName | null;
  model?: string | null;
  status?: RunFilterStatus | null;
  /** Unix milliseconds. */
  from?: number | null;
  until?: number | null;
  search?: string;
  comparisonId?: string | null;
  conversationId?: string | null;
  /** Lists each comparison as a single entry. */
  folded?: boolean;
  sort?: RunSort;
  pageSize?: number;
}

export function useRuns(filter: RunFilter) {
  const { connectionId = null, operation = null, model = null, status = null } = filter;
  const { from = null, until = null, sort = newestFirst } = filter;
  const { search = '', comparisonId = null, conversationId = null } = filter;
  const { folded = false, pageSize = 100 } = filter;
  const list = useInfiniteQuery({
    ...orpc.runs.list.infiniteOptions({
      input: (before: { createdAt: number; id: string } | null) => ({
        connectionId,
        operation,
        model,
        status,
        search: search.trim().slice(0, 200),
        comparisonId,
        conversationId,
        from,
        until,
        folded,
        sort,
        before,
        limit: pageSize,
      }),
      initialPageParam: null,
      getNextPageParam: ({ runs, more }) => (more ? getCursor(runs) : null),
    }),
    placeholderData: keepPreviousData,
  });
  const runs = useMemo(() => list.data?.pages.flatMap((page) => page.runs) ?? [], [list.data]);
  const comparisons = useMemo(() => {
    const listed = list.data?.pages.flatMap((page) => page.comparisons) ?? [];
    return new Map(listed.map((comparison) => [comparison.id, comparison]));
  }, [list.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const showMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    runs,
    /** Maps comparison IDs to the comparisons of the listed runs. */
    comparisons,
    isPending: list.isPending,
    hasMore: hasNextPage,
    error: list.error === null ? null : toAppError(list.error),
    retry: () => void list.refetch(),
    showMore,
  };
}

function getCursor(runs: RunSummary[]) {
  const last = runs.at(-1);
  return last ? { createdAt: last.createdAt, id: last.id } : null;
}
