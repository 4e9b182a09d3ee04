import type { Media } from '../../../shared/media.ts';
import { rememberMedia } from '../players/use-media.ts';

/** Maps the ID of each converted copy to its original, which stays in the library. */
const originals = new Map<string, Media>();

export function getOriginal({ id }: Pick<Media, 'id'>): Media | null {
  return originals.get(id) ?? null;
}

export function linkCopy(copy: Media, original: Media): void {
  originals.set(copy.id, original);
  rememberMedia(original);
  rememberMedia(copy);
}
