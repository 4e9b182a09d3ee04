import type { Media } from '../../../shared/media.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import { PageError } from '../../lib/page-failure.ts';
import { mediaRequest } from './media-request.ts';

/** ArrayBuffers of this size arrive in both hosts; Blobs do not survive the desktop's scheme. */
const SLICE_BYTES = 4 * 1024 * 1024;

export interface UploadOptions {
  /** Shown, and sent as `filename`; a File's own name unless given. */
  name?: string;
  onProgress?: (done: { doneBytes: number; totalBytes: number }) => void;
  signal?: AbortSignal;
}

/** Hands a file to main. Rejects with a `PageFailure`, or with the signal's reason. */
export async function uploadMedia(file: Blob, options: UploadOptions = {}): Promise<Media> {
  const { onProgress, signal = null } = options;
  const name = options.name ?? (file instanceof File ? file.name : '');
  const totalBytes = file.size;
  signal?.throwIfAborted();
  const id = await beginUpload({ name, type: file.type, size: String(totalBytes) }, signal);
  try {
    for (let done = 0; done < totalBytes; ) {
      const slice = await readSlice(file, done);
      done = await sendSlice(id, slice, done, signal);
      onProgress?.({ doneBytes: done, totalBytes });
    }
    return await finishUpload(id, signal);
  } catch (cause) {
    void abortUpload(id);
    throw cause;
  }
}

/** Returns the ID under which main expects the slices. */
export async function beginUpload(
  of: Record<string, string>,
  signal: AbortSignal | null = null,
): Promise<string> {
  const query = new URLSearchParams(of);
  const response = await mediaRequest(`/media?${query}`, { method: 'POST', signal });
  const { id }: { id: string } = await response.json();
  return id;
}

/** Returns the offset to continue at. Sent again after a lost connection, main answers what it already has. */
export async function sendSlice(
  id: string,
  bytes: ArrayBuffer,
  offset: number,
  signal: AbortSignal | null = null,
): Promise<number> {
  const end = offset + bytes.byteLength;
  const response = await mediaRequest(`${mediaUrl(id)}?offset=${offset}`, {
    method: 'PUT',
    body: bytes,
    signal,
    expected: [409],
  });
  if (response.status !== 409) return end;
  const { expected }: { expected: number } = await response.json();
  // It had arrived, and only the answer was lost.
  if (expected === end) return end;
  throw new PageError(outOfStep);
}

export async function finishUpload(id: string, signal: AbortSignal | null = null): Promise<Media> {
  const response = await mediaRequest(`${mediaUrl(id)}/finish`, { method: 'POST', signal });
  return response.json();
}

/** Also when the page goes away. Main forgets it at its next start anyway. */
export async function abortUpload(id: string): Promise<void> {
  await fetch(mediaUrl(id), { method: 'DELETE', keepalive: true }).catch(() => undefined);
}

async function readSlice(file: Blob, offset: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(offset, offset + SLICE_BYTES).arrayBuffer();
  } catch (cause) {
    throw new PageError({
      ...plain,
      message: 'The file can no longer be read.',
      nextStep: 'Check that it was not moved or changed, then choose it again.',
      detail: String(cause),
    });
  }
}

const plain = { kind: 'file' as const, gateway: null, detail: null };
const outOfStep = {
  ...plain,
  message: 'The upload was incomplete.',
  nextStep: 'Add the file again.',
};
