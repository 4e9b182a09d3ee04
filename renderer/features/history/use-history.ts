import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { type HistoryFilter, useHistory } from './history-store.ts';

export interface RunHistory {
  /** Newest first. */
  runs: RunSummary[];
  isPending: boolean;
  error: AppError | null;
  retry: () => void;
  showMore: () => void;
}

const pageSize = 100;

/** The runs of every connection that the filter leaves, page by page. */
export function useRunHistory(): RunHistory {
  // A search that is typed fast asks main for its last words first.
  const filter = useDeferredValue(useHistory((state) => state.filter));
  const list = useInfiniteQuery({
    ...orpc.runs.list.infiniteOptions({
      input: (before: { createdAt: number; id: string } | null) => ({
        connectionId: null,
        ...asked(filter),
        before,
        limit: pageSize,
      }),
      initialPageParam: null,
      getNextPageParam: ({ runs, more }) => (more ? cursorOf(runs) : null),
    }),
    placeholderData: keepPreviousData,
  });
  const runs = useMemo(() => list.data?.pages.flatMap((page) => page.runs) ?? [], [list.data]);
  return {
    runs,
    isPending: list.isPending,
    error: list.error === null ? null : toAppError(list.error),
    retry: () => void list.refetch(),
    showMore: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
    },
  };
}

function asked({ search, ...filter }: HistoryFilter) {
  return { ...filter, search: search.trim().slice(0, 200) };
}

function cursorOf(runs: RunSummary[]) {
  const last = runs.at(-1);
  return last ? { createdAt: last.createdAt, id: last.id } : null;
}
