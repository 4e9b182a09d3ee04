import { useQuery } from '@tanstack/react-query';
import type { Media } from '../../../shared/media.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { queryClient } from '../../lib/query-client.ts';

/** Returns true if an item failed to load because it was deleted from the library. */
export function useIsDeleted({ id }: Pick<Media, 'id'>, failed: boolean): boolean {
  const { data, isSuccess } = useQuery(
    { ...orpc.media.get.queryOptions({ input: { id } }), enabled: failed },
    queryClient,
  );
  return failed && isSuccess && data === null;
}

/** Loads the item of a `media:<id>` reference; null loads nothing. */
export function useMedia(id: string | null) {
  const { data, isPending, error } = useQuery({
    ...orpc.media.get.queryOptions({ input: { id: id ?? '' } }),
    enabled: id !== null,
  });
  return {
    /** Null until the item has loaded, or if it was deleted. */
    media: data ?? null,
    isPending: id !== null && isPending,
    error: error === null ? null : toAppError(error),
  };
}

/** Shows an item that was just stored without loading it, so that its controls keep the focus. */
export function rememberMedia(media: Media): void {
  const { queryKey } = orpc.media.get.queryOptions({ input: { id: media.id } });
  queryClient.setQueryData(queryKey, media);
}
