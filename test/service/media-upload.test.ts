import { beforeEach, describe, expect, test, vi } from 'vitest';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import {
  recoverRecordings,
  startMediaUpload,
} from '../../renderer/media/uploads/upload-recording.ts';
import {
  type MediaClient,
  openTestMedia,
  serveMedia,
  type TestMedia,
} from '../fixtures/media-service.ts';
import { wav } from '../fixtures/sounds.ts';

const MB = 1024 * 1024;
let opened: TestMedia;
let client: MediaClient;
/** Runs for each request. Throw to break the connection before or after the request arrives. */
let wire: (
  request: { method: string; path: string },
  send: () => Promise<Response>,
) => Promise<Response>;
let requests: string[];

/** Sends the page's `fetch` calls to the server as a browser would. */
beforeEach(async () => {
  opened = openTestMedia();
  client = await serveMedia(opened.routes);
  requests = [];
  wire = (_request, send) => send();
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const { method = 'GET', body = null, signal } = init;
    if (body !== null && !(body instanceof ArrayBuffer))
      throw new Error('Only an ArrayBuffer arrives.');
    signal?.throwIfAborted();
    requests.push(`${method} ${path.replace(/[A-Za-z0-9_-]{22}/, 'ID')}`);
    return wire({ method, path }, async () => {
      const reply = await client.read(path, {
        method,
        ...(body !== null && { body: new Uint8Array(body) }),
      });
      const text = reply.bytes.length > 0 ? new Uint8Array(reply.bytes) : null;
      return new Response(text, {
        status: reply.status,
        headers: { 'content-type': reply.headers['content-type'] ?? '' },
      });
    });
  });
  return () => vi.unstubAllGlobals();
});

describe('a file', () => {
  test('uploads the whole file in slices of at most 4 MB, with its progress', async () => {
    const bytes = Buffer.concat([wav({ seconds: 0, claimedBytes: 0 }), Buffer.alloc(600 * 16_000)]);
    const progress: number[] = [];
    const media = await uploadMedia(
      new File([new Uint8Array(bytes)], 'long.wav', { type: 'audio/wav' }),
      {
        onProgress: ({ doneBytes, totalBytes }) => progress.push(doneBytes / totalBytes),
      },
    );
    expect(media).toMatchObject({
      name: 'long.wav',
      durationSeconds: 600,
      declaredType: 'audio/wav',
    });
    expect((await opened.media.readBytes(media.id)).equals(bytes)).toBe(true);
    expect(requests).toEqual([
      `POST /media?name=long.wav&type=audio%2Fwav&size=${bytes.length}`,
      'PUT /media/ID?offset=0',
      `PUT /media/ID?offset=${4 * MB}`,
      `PUT /media/ID?offset=${8 * MB}`,
      'POST /media/ID/finish',
    ]);
    expect(progress).toEqual([(4 * MB) / bytes.length, (8 * MB) / bytes.length, 1]);
  });

  test.each([
    ['before it arrived', false],
    ['after it arrived', true],
  ])('retries the same slice if the connection drops %s', async (_name, arrives) => {
    const bytes = new Uint8Array(5 * MB).fill(7);
    let drops = 1;
    wire = async ({ path }, send) => {
      if (!path.includes('offset=0') || drops === 0) return send();
      drops -= 1;
      if (arrives) await send();
      throw new TypeError('Failed to fetch');
    };
    const media = await uploadMedia(new Blob([bytes]));
    expect(drops).toBe(0);
    expect((await opened.media.readBytes(media.id)).equals(bytes)).toBe(true);
  });

  test('aborts on both sides when its signal aborts', async () => {
    const abort = new AbortController();
    const upload = uploadMedia(new Blob([new Uint8Array(9 * MB)]), {
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('not wanted any more')),
    });
    await expect(upload).rejects.toThrow('not wanted any more');
    await vi.waitFor(() => expect(requests.at(-1)).toBe('DELETE /media/ID'));
    await vi.waitFor(() => expect(opened.changed).toHaveLength(1));
    expect(requests.filter((request) => request.startsWith('PUT'))).toHaveLength(1);
  });

  test('tells the page of an earlier Gatehouse to reload', async () => {
    wire = async () => new Response('<h1>Fresh address</h1>', { status: 401 });
    await expect(uploadMedia(new Blob(['x']))).rejects.toMatchObject({
      error: { kind: 'unauthorized', nextStep: 'Open the new URL printed in the terminal.' },
    });
  });
});

describe('a recording', () => {
  const of = { name: 'Recording.wav', type: 'audio/wav' };
  const bytes = new Uint8Array(wav({ claimedBytes: 0 }));

  test('is available while it grows, and completes when it ends', async () => {
    const upload = await startMediaUpload(of);
    await upload.write(bytes.slice(0, 1000).buffer);
    expect(opened.media.get(upload.id)).toMatchObject({ sizeBytes: 1000, complete: false });
    void upload.write(bytes.slice(1000, 9000).buffer);
    void upload.write(bytes.slice(9000).buffer);
    expect(await upload.finish()).toMatchObject({ durationSeconds: 1, complete: true });
    expect(await recoverRecordings()).toEqual([]);
  });

  test('completes an abandoned recording from the next page, but not while it records', async () => {
    const request = vi.spyOn(navigator.locks, 'request');
    const upload = await startMediaUpload(of);
    await upload.write(bytes.slice(0, 8044).buffer);
    expect(await recoverRecordings()).toEqual([]);

    // When the page closes, the browser releases its locks.
    request.mockImplementation(async (...args: unknown[]) => {
      const work = args.at(-1) as (lock: object) => Promise<void>;
      return work({});
    });
    expect(await recoverRecordings()).toMatchObject([
      { id: upload.id, durationSeconds: 0.5, complete: true },
    ]);
    expect(await recoverRecordings()).toEqual([]);
    request.mockRestore();
  });

  test('keeps the received data if sending fails for good', async () => {
    const upload = await startMediaUpload(of);
    await upload.write(bytes.slice(0, 8044).buffer);
    wire = async ({ method }, send) =>
      method === 'PUT' ? new Response(null, { status: 500 }) : send();
    await expect(upload.write(bytes.slice(8044).buffer)).rejects.toMatchObject({
      error: { kind: 'unexpected' },
    });
    expect(await upload.finish()).toMatchObject({ durationSeconds: 0.5 });
  });
});
