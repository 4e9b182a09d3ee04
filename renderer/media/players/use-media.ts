import { useQuery } from '@tanstack/react-query';
import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { queryClient } from '../../lib/query-client.ts';

export interface FoundMedia {
  /** `media` is null until the item has loaded, or if the item was deleted. */
  media: Media | null;
  isPending: boolean;
  error: AppError | null;
}

/** Returns true if an item that failed to load was deleted from the library. */
export function useIsDeleted({ id }: Pick<Media, 'id'>, failed: boolean): boolean {
  const { data, isSuccess } = useQuery(
    { ...orpc.media.get.queryOptions({ input: { id } }), enabled: failed },
    queryClient,
  );
  return failed && isSuccess && data === null;
}

/** Loads the item of a `media:<id>` reference; null loads nothing. */
export function useMedia(id: string | null): FoundMedia {
  const { data, isPending, error } = useQuery({
    ...orpc.media.get.queryOptions({ input: { id: id ?? '' } }),
    enabled: id !== null,
  });
  return {
    media: data ?? null,
    isPending: id !== null && isPending,
    error: error === null ? null : toAppError(error),
  };
}
