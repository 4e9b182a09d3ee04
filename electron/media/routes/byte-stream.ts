/**
 * Streams file bytes on demand, because canceling `Readable.toWeb` can crash (nodejs/node#64529).
 */
import { open } from 'node:fs/promises';
import type { GrowingFile } from '../media-writer.ts';

const CHUNK_BYTES = 256 * 1024;

export interface ByteSource {
  /** Resolves to null at the end. */
  next(): Promise<Uint8Array | null>;
  close(): void;
}

export async function streamFile(
  path: string,
  range: ByteRange,
): Promise<ReadableStream<Uint8Array>> {
  const file = await open(path);
  let position = range.first;
  return toStream({
    async next() {
      const length = Math.min(CHUNK_BYTES, range.last + 1 - position);
      if (length <= 0) return null;
      const buffer = new Uint8Array(length);
      const { bytesRead } = await file.read(buffer, 0, length, position);
      if (bytesRead === 0) throw new Error('The file is shorter than it was.');
      position += bytesRead;
      return buffer.subarray(0, bytesRead);
    },
    close: () => void file.close().catch(() => undefined),
  });
}

/** Waits for bytes that are not yet written; an infinite `last` means the end of the file. */
export function streamGrowingFile(
  file: GrowingFile,
  { first, last }: ByteRange,
): ReadableStream<Uint8Array> {
  const release = file.retain();
  let position = first;
  return toStream({
    async next() {
      for (;;) {
        const present = Math.min(file.sizeBytes, last + 1) - position;
        const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(0, present)));
        const bytesRead = buffer.length === 0 ? 0 : await file.read(buffer, position);
        position += bytesRead;
        if (bytesRead > 0) return buffer.subarray(0, bytesRead);
        if (position > last) return null;
        if (file.sizeBytes > position) continue;
        if (file.state === 'ended') return null;
        if (file.state === 'broken') throw new Error('The rest of the file never arrived.');
        await file.waitForChange();
      }
    },
    close: release,
  });
}

export function prependToStream(
  head: Uint8Array,
  rest: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  if (head.length === 0) return rest;
  const reader = rest.getReader();
  let hasBegun = false;
  return toStream({
    async next() {
      if (hasBegun) return (await reader.read()).value ?? null;
      hasBegun = true;
      return head;
    },
    close: () => void reader.cancel().catch(() => undefined),
  });
}

/** Calls `close` once: at the end, after an error, or if the reader stops. */
export function toStream(source: ByteSource): ReadableStream<Uint8Array> {
  let closed = false;
  const close = () => {
    if (!closed) source.close();
    closed = true;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await source.next();
          // The controller throws if the stream has been canceled.
          if (closed) return;
          if (chunk !== null) {
            controller.enqueue(chunk);
            return;
          }
          close();
          controller.close();
        } catch (cause) {
          if (closed) return;
          close();
          controller.error(cause);
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

export interface ByteRange {
  first: number;
  last: number;
}

/** Returns null for the whole file, or if the header is unsupported, such as multiple ranges. */
export function parseRange(header: string | null, sizeBytes: number): ByteRange | 'none' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(/\s/g, '') ?? '');
  if (match === null) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;

  if (from === '') {
    const count = Math.min(Number(to), sizeBytes);
    return count === 0 ? 'none' : { first: sizeBytes - count, last: sizeBytes - 1 };
  }
  const first = Number(from);
  const last = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (to !== '' && Number(to) < first) return null;
  return first >= sizeBytes ? 'none' : { first, last };
}
