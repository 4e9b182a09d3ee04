/** A state's list of media: told again, a medium replaces what was known of it. */
import type { Media } from '../../media.ts';

export function upsertMedia(list: Media[], media: Media): Media[] {
  const at = list.findIndex(({ id }) => id === media.id);
  return at === -1 ? [...list, media] : list.with(at, media);
}
