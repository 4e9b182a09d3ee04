/** Extends the media store with measurements, peaks and remote images. */

import { readFile, rename, writeFile } from 'node:fs/promises';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { Media } from '../../shared/media.ts';
import { decodePeaks, type PeakTable } from '../../shared/media-peaks.ts';
import type { Network } from '../gateway/network.ts';
import { fetchRemoteImage } from './fetch-remote-image.ts';
import { measureMedia } from './measure-media.ts';
import { createMediaStore, type MediaStore, type MediaStoreOptions } from './media-store.ts';
import { createMediaThread, type MediaThread } from './media-thread.ts';

export interface MediaService extends MediaStore, PeakStore {
  /** Stores a remote image; throws a `UserFacingError` if the URL doesn't return an image. */
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

/** Methods throw a `UserFacingError` if the item is incomplete, damaged or unknown. */
export interface PeakStore {
  /** Returns null if only the page can decode the audio, which then uploads the peaks. */
  peaks(id: string): Promise<PeakTable | null>;
  /** Saves peaks computed by the page; throws a `UserFacingError` if they are invalid. */
  keepPeaks(id: string, bytes: Uint8Array): Promise<void>;
}

export function createPeakStore(
  store: Pick<MediaStore, 'get' | 'path' | 'peaksPath'>,
  thread: Pick<MediaThread, 'run'>,
): PeakStore {
  /** Players of the same file share the computation. */
  const inProgress = new Map<string, Promise<'kept' | 'unsupported'>>();

  function make(id: string, peaksPath: string): Promise<'kept' | 'unsupported'> {
    const path = store.path(id);
    const type = store.get(id)?.type ?? '';
    const current = inProgress.get(path);
    if (current) return current;
    const started = thread
      .run({ kind: 'peaks', path, type, peaksPath })
      .finally(() => inProgress.delete(path));
    inProgress.set(path, started);
    return started;
  }

  return {
    async peaks(id: string): Promise<PeakTable | null> {
      const path = store.peaksPath(id);
      const kept = await readPeaks(path);
      if (kept !== null) return kept;
      try {
        if ((await make(id, path)) === 'unsupported') return null;
      } catch (cause) {
        throw new UserFacingError(createDamagedError(cause));
      }
      return readPeaks(path);
    },

    async keepPeaks(id: string, bytes: Uint8Array): Promise<void> {
      const path = store.peaksPath(id);
      if (decodePeaks(bytes) === null) throw new UserFacingError(noOutline);
      await writeFile(`${path}.page`, bytes, { mode: 0o600 });
      await rename(`${path}.page`, path);
    },
  };
}

async function readPeaks(path: string): Promise<PeakTable | null> {
  try {
    return decodePeaks(await readFile(path));
  } catch {
    return null;
  }
}

function createDamagedError(cause: unknown) {
  return appError(
    'file',
    'No waveform: couldn’t read the audio.',
    'Play the file to check whether it is damaged.',
    { detail: String(cause) },
  );
}

const noOutline = appError(
  'invalid-request',
  'The waveform data isn’t valid.',
  'Reload the page and try again.',
);
