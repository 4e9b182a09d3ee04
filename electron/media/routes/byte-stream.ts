/**
 * Bytes of a file as a stream that reads only when pulled. Not `Readable.toWeb`: cancelling that one
 * can end the process (nodejs/node#64529).
 */
import { open } from 'node:fs/promises';
import type { GrowingFile } from '../growing-file.ts';
import type { ByteRange } from './byte-range.ts';

const CHUNK_BYTES = 256 * 1024;

interface Source {
  /** Null at the end; waits where more will come. */
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

/** From the first byte to the one that will be the last. */
export function streamGrowing(file: GrowingFile): ReadableStream<Uint8Array> {
  const release = file.retain();
  let position = 0;
  return toStream({
    async next() {
      for (;;) {
        const buffer = new Uint8Array(
          Math.min(CHUNK_BYTES, Math.max(0, file.sizeBytes - position)),
        );
        const bytesRead = buffer.length === 0 ? 0 : await file.read(buffer, position);
        position += bytesRead;
        if (bytesRead > 0) return buffer.subarray(0, bytesRead);
        if (file.sizeBytes > position) continue;
        if (file.state === 'ended') return null;
        if (file.state === 'broken') throw new Error('The rest of the file never came.');
        await file.changed();
      }
    },
    close: release,
  });
}

function toStream(source: Source): ReadableStream<Uint8Array> {
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
          // Cancelled meanwhile: the controller may not be touched any more.
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
