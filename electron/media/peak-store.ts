/** Outlines of sounds: made once, kept beside the file, given in as many points as are requested. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { decodePeaks, type PeakTable } from '../../shared/media-peaks.ts';
import type { MediaStore } from './media-store.ts';
import type { MediaThread } from './media-thread.ts';

export interface PeakStore {
  /** Null if only a page can decode the sound: it then hands the outline in. */
  peaks(id: string): Promise<PeakTable | null>;
  /** Keeps what a page made; throws a `UserFacingError` for bytes that are not an outline. */
  keepPeaks(id: string, bytes: Uint8Array): Promise<void>;
}

export function createPeakStore(
  store: Pick<MediaStore, 'get' | 'path' | 'peaksPath'>,
  thread: Pick<MediaThread, 'run'>,
): PeakStore {
  /** By the file they are for: two players of one sound wait for the same work. */
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
    async peaks(id) {
      const path = store.peaksPath(id);
      const kept = await readPeaks(path);
      if (kept !== null) return kept;
      try {
        if ((await make(id, path)) === 'unsupported') return null;
      } catch (cause) {
        throw new UserFacingError(damaged(cause));
      }
      return readPeaks(path);
    },

    async keepPeaks(id, bytes) {
      const path = store.peaksPath(id);
      if (decodePeaks(bytes) === null) throw new UserFacingError(noOutline);
      await writeFile(`${path}.page`, bytes, { mode: 0o600 });
      await rename(`${path}.page`, path);
    },
  };
}

/** Null if there is none, or where it is damaged: it is made again. */
async function readPeaks(path: string): Promise<PeakTable | null> {
  try {
    return decodePeaks(await readFile(path));
  } catch {
    return null;
  }
}

function damaged(cause: unknown) {
  return appError(
    'file',
    'The waveform is not available: the audio could not be read.',
    'Play the file to check whether it is damaged.',
    { detail: String(cause) },
  );
}

const noOutline = appError(
  'invalid-request',
  'The waveform data is not valid.',
  'Reload the page and try again.',
  { fields: [] },
);
