/** The media store with its measuring thread, outlines and images from elsewhere, for every caller. */
import type { Media } from '../../shared/media.ts';
import type { Network } from '../gateway/network.ts';
import { fetchRemoteImage } from './fetch-remote-image.ts';
import { measureMedia } from './measure-media.ts';
import { createMediaStore, type MediaStore, type MediaStoreOptions } from './media-store.ts';
import { createMediaThread } from './media-thread.ts';
import { createPeakStore, type PeakStore } from './peak-store.ts';

export interface MediaService extends MediaStore, PeakStore {
  /** Stores the image at an http(s) address; throws a `UserFacingError` that names what was received instead. */
  fetchRemote(url: string): Promise<Media>;
}

const REMOTE_IMAGE_LIMIT_MS = 60_000;

export function createMedia({
  network,
  ...options
}: Omit<MediaStoreOptions, 'measure'> & { network: Network }): MediaService {
  const thread = createMediaThread();
  const store = createMediaStore({
    ...options,
    measure: (path, sniffed) =>
      measureMedia(path, sniffed, (container, type) =>
        thread.run({ kind: 'measure', path: container, type }),
      ),
  });
  return {
    ...store,
    ...createPeakStore(store, thread),
    fetchRemote: (url) =>
      fetchRemoteImage(url, {
        network,
        media: store,
        signal: AbortSignal.timeout(REMOTE_IMAGE_LIMIT_MS),
      }),
    async close() {
      await thread.close();
      await store.close();
    },
  };
}
