import type { AppError } from '../../../shared/errors.ts';
import { getMediaUrl, type Media } from '../../../shared/media.ts';
import { isAppError } from '../../lib/app-error.ts';
import { PageError } from '../../lib/page-failure.ts';
import { pause } from '../../lib/pause.ts';
import { createMediaError } from './media-filter.ts';

/** Both hosts accept slices of this size; a Blob isn't possible with the desktop app's scheme. */
const SLICE_BYTES = 4 * 1024 * 1024;

export interface UploadOptions {
  /** Defaults to the file's own name. */
  name?: string;
  onProgress?: (done: { doneBytes: number; totalBytes: number }) => void;
  signal?: AbortSignal;
}

/** Rejects with a `PageError` or the signal's reason. */
export async function uploadMedia(file: Blob, options: UploadOptions = {}): Promise<Media> {
  const id = await uploadUnfinished(file, options);
  try {
    return await finishUpload(id, options.signal);
  } catch (cause) {
    void abortUpload(id);
    throw cause;
  }
}

/** Uploads the bytes to an item that isn't in the library until it is finished. */
export async function uploadUnfinished(file: Blob, options: UploadOptions = {}): Promise<string> {
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
    return id;
  } catch (cause) {
    void abortUpload(id);
    throw cause;
  }
}

/** Resolves to the upload's ID. */
export async function beginUpload(
  of: Record<string, string>,
  signal: AbortSignal | null = null,
): Promise<string> {
  const query = new URLSearchParams(of);
  const response = await requestMedia(`/media?${query}`, { method: 'POST', signal });
  const { id }: { id: string } = await response.json();
  return id;
}

/** Resolves to the next offset; the main process ignores a repeated slice. */
export async function sendSlice(
  id: string,
  bytes: ArrayBuffer,
  offset: number,
  signal: AbortSignal | null = null,
): Promise<number> {
  const end = offset + bytes.byteLength;
  const response = await requestMedia(`${getMediaUrl(id)}?offset=${offset}`, {
    method: 'PUT',
    body: bytes,
    signal,
    expected: [409],
  });
  if (response.status !== 409) return end;
  const { expected }: { expected: number } = await response.json();
  // The slice arrived, but its response was lost.
  if (expected === end) return end;
  throw new PageError(outOfStep);
}

export async function finishUpload(id: string, signal: AbortSignal | null = null): Promise<Media> {
  const response = await requestMedia(`${getMediaUrl(id)}/finish`, { method: 'POST', signal });
  return response.json();
}

/** With `keepalive`, the request can finish while the page closes. */
export async function abortUpload(id: string): Promise<void> {
  await fetch(getMediaUrl(id), { method: 'DELETE', keepalive: true }).catch(() => undefined);
}

async function readSlice(file: Blob, offset: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(offset, offset + SLICE_BYTES).arrayBuffer();
  } catch (cause) {
    throw new PageError(
      createMediaError(
        'The file can no longer be read.',
        'Check that it wasn’t moved or changed, then choose it again.',
        String(cause),
      ),
    );
  }
}

const outOfStep = createMediaError('The upload was incomplete.', 'Add the file again.');

/** A broken connection is retried immediately, but not forever, because Gatehouse may have quit. */
const RETRY_MS = [200, 500, 1000, 2000, 4000];

/** Retries if the connection breaks; rejects with a `PageError` unless the status is `expected`. */
export async function requestMedia(
  url: string,
  init: RequestInit & { expected?: number[] } = {},
): Promise<Response> {
  const { expected = [], ...request } = init;
  for (let attempt = 0; ; attempt += 1) {
    let response: Response;
    try {
      response = await fetch(url, { cache: 'no-store', ...request });
    } catch (cause) {
      request.signal?.throwIfAborted();
      const waitMs = RETRY_MS[attempt];
      if (waitMs === undefined) throw new PageError(createLostError(cause));
      await pause(waitMs, request.signal ?? new AbortController().signal);
      request.signal?.throwIfAborted();
      continue;
    }
    if (response.ok || expected.includes(response.status)) return response;
    throw new PageError(await readError(response));
  }
}

async function readError(response: Response): Promise<AppError> {
  if (response.headers.get('content-type')?.includes('json')) {
    const body: unknown = await response.json().catch(() => null);
    if (isAppError(body)) return body;
  }
  if (response.status === 401 || response.status === 403) return sessionEnded;
  return { ...unexpected, detail: `${response.status} ${response.url}` };
}

const plain = { gateway: null, detail: null };

function createLostError(cause: unknown): AppError {
  return {
    ...plain,
    kind: 'unreachable',
    message: 'Lost connection to Gatehouse.',
    nextStep: 'Try again once reconnected.',
    detail: String(cause),
  };
}

const sessionEnded: AppError = {
  ...plain,
  kind: 'unauthorized',
  message: 'Gatehouse was restarted, so this page is signed out.',
  nextStep: 'Open the new URL printed in the terminal.',
};
const unexpected: AppError = {
  ...plain,
  kind: 'unexpected',
  message: 'Something went wrong.',
  nextStep: 'Try again. If it keeps happening, restart Gatehouse.',
};
