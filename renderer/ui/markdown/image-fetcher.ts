/** How an image of an answer is fetched once the reader asked: by main, never by the page. */
import { createContext } from 'react';
import type { Media } from '../../../shared/media.ts';

/** Rejects with what the reader is told. Null where nobody fetches: the address is shown instead. */
export const ImageFetcherContext = createContext<((url: string) => Promise<Media>) | null>(null);

/** Fetched ones by address, so that they stay when their message leaves the view. */
const fetched = new Map<string, Media>();

export function fetchedImage(url: string): Media | null {
  return fetched.get(url) ?? null;
}

export function rememberImage(url: string, media: Media): void {
  fetched.set(url, media);
}
