/** How an image of an answer is fetched once the reader asked (by main, never by the page) and shown. */
import { createContext, type ReactNode } from 'react';
import type { Media } from '../../../shared/media.ts';

export interface RemoteImages {
  /** Rejects with what the reader sees in the image's place. */
  fetchImage: (url: string) => Promise<Media>;
  showImage: (media: Media, title: string) => ReactNode;
}

/** Null where nobody fetches: the address is shown instead. */
export const RemoteImagesContext = createContext<RemoteImages | null>(null);

/** Fetched ones by address, so that they stay when their message leaves the view. */
const fetched = new Map<string, Media>();

export function fetchedImage(url: string): Media | null {
  return fetched.get(url) ?? null;
}

export function rememberImage(url: string, media: Media): void {
  fetched.set(url, media);
}
