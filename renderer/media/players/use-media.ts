import { useQuery } from '@tanstack/react-query';
import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { queryClient } from '../../lib/query-client.ts';

export interface FoundMedia {
  /** Null until it is loaded, and where it was removed. */
  media: Media | null;
  isPending: boolean;
  error: AppError | null;
}

/** Whether a medium that could not be shown was deleted from the library; asked only where it `failed`. */
export function useIsDeleted({ id }: Pick<Media, 'id'>, failed: boolean): boolean {
  const { data, isSuccess } = useQuery(
    { ...orpc.media.get.queryOptions({ input: { id } }), enabled: failed },
    queryClient,
  );
  return failed && isSuccess && data === null;
}

/** What a `media:<id>` names; null fetches nothing. */
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
