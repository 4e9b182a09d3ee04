/** The media store with its measuring thread and outlines, as the services hold it. */

import { measureMedia } from './measure-media.ts';
import { createMediaStore, type MediaStore, type MediaStoreOptions } from './media-store.ts';
import { createMediaThread } from './media-thread.ts';
import { createPeakStore, type PeakStore } from './peak-store.ts';

export type MediaService = MediaStore & PeakStore;

export function createMedia(options: Omit<MediaStoreOptions, 'measure'>): MediaService {
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
    async close() {
      await thread.close();
      await store.close();
    },
  };
}
