import type { Media } from '../../../shared/media.ts';
import { PageError } from '../../lib/page-failure.ts';
import { abortUpload, beginUpload, finishUpload, sendSlice } from './upload-media.ts';

const STORAGE_KEY = 'gatehouse.recordings';

/** Uploads a recording while the user is still recording. */
export interface MediaUpload {
  readonly id: string;
  /** Sends bytes in order; rejects if retrying is pointless. */
  write(bytes: ArrayBuffer): Promise<void>;
  finish(): Promise<Media>;
  abort(): Promise<void>;
}

/** The main process corrects the duration in the WAV header when the upload ends. */
export async function startMediaUpload(of: { name: string; type: string }): Promise<MediaUpload> {
  const id = await beginUpload({ ...of, role: 'recording' });
  const releaseLock = holdLock(id);
  remember((ids) => [...ids, id]);

  let offset = 0;
  let queue: Promise<void> = Promise.resolve();

  function end(): void {
    remember((ids) => ids.filter((other) => other !== id));
    releaseLock();
  }

  return {
    id,
    write(bytes) {
      queue = queue.then(async () => {
        offset = await sendSlice(id, bytes, offset);
      });
      return queue;
    },
    async finish() {
      // `write` already reported the error, and the uploaded part is still usable.
      await queue.catch(() => undefined);
      const media = await finishUpload(id);
      end();
      return media;
    },
    async abort() {
      await queue.catch(() => undefined);
      await abortUpload(id);
      end();
    },
  };
}

/** Completes recordings that an earlier page left unfinished. */
export async function recoverRecordings(): Promise<Media[]> {
  const recovered = await Promise.all(
    readRemembered().map((id) => runIfLeft(id, () => recover(id))),
  );
  return recovered.filter((media) => media !== null);
}

async function recover(id: string): Promise<Media | null> {
  // While this tab waited for the lock, the recording ended or another tab recovered it.
  if (!readRemembered().includes(id)) return null;
  const media = await finishUpload(id).catch((cause: unknown) => {
    // Retry later only if the main process is unreachable; other errors are final.
    return cause instanceof PageError && cause.error.kind === 'unreachable' ? 'later' : null;
  });
  if (media === 'later') return null;
  remember((ids) => ids.filter((other) => other !== id));
  return media;
}

/** How long a closed page may take to release its lock. */
const leaveMs = 1000;

/** Resolves to null while another tab is recording. */
async function runIfLeft(id: string, work: () => Promise<Media | null>): Promise<Media | null> {
  const signal = AbortSignal.timeout(leaveMs);
  try {
    return await navigator.locks.request(lockName(id), { signal }, work);
  } catch (cause) {
    if (cause !== signal.reason) throw cause;
    return null;
  }
}

function lockName(id: string): string {
  return `gatehouse.recording.${id}`;
}

/** The browser releases the lock when the page closes. */
function holdLock(id: string): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks.request(lockName(id), () => held);
  return release;
}

function readRemembered(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function remember(change: (ids: string[]) => string[]): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(change(readRemembered())));
}
