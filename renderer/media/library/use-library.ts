import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { LibraryItem, MediaQuery, MediaSort } from '../../../shared/media.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';

/** Null matches all items. */
export interface LibraryFilter {
  kind: MediaQuery['kind'];
  role: NonNullable<MediaQuery['role']> | null;
  /** Words to find in the name or prompt. */
  text: string;
  sort: MediaSort;
}

export interface LibraryPages {
  items: LibraryItem[];
  isPending: boolean;
  hasMore: boolean;
  error: AppError | null;
  retry: () => void;
  showMore: () => void;
}

const PAGE = 60;

export function useLibrary({ kind, role, text, sort }: LibraryFilter): LibraryPages {
  const list = useInfiniteQuery({
    ...orpc.media.list.infiniteOptions({
      input: (after: MediaQuery['after']) => ({
        kind,
        role,
        text: text.trim().slice(0, 200),
        sort,
        after,
        limit: PAGE,
      }),
      initialPageParam: null,
      getNextPageParam: ({ media, more }) => (more ? (media.at(-1)?.id ?? null) : null),
    }),
    placeholderData: keepPreviousData,
  });
  const items = useMemo(() => list.data?.pages.flatMap(({ media }) => media) ?? [], [list.data]);
  return {
    items,
    isPending: list.isPending,
    hasMore: list.hasNextPage,
    error: list.error === null ? null : toAppError(list.error),
    retry: () => void list.refetch(),
    showMore: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
    },
  };
}
