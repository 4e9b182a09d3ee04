/** Decompresses a response body and rejects decompression bombs. */
import type { Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  type Zlib,
} from 'node:zlib';

export type ByteSink = (bytes: Buffer) => void | Promise<void>;

export interface BodyDecoder {
  write(chunk: Buffer): void | Promise<void>;
  /**
   * Resolves to the decompression error or null; if `isStopped`, the remaining bytes may be
   * dropped.
   */
  end(isStopped: boolean): Promise<Error | null>;
}

/** Real text, JSON and events compress less than this; a gzip bomb can reach a ratio of 1,000. */
export const MAX_EXPANSION_RATIO = 200;
const HARMLESS_BYTES = 32 * 1024 * 1024;

export class ExpansionError extends Error {}

export class TruncatedBodyError extends Error {}

const MAX_REST_MS = 30;

type Decompressor = Transform & Zlib;

const flushing = { flush: constants.Z_SYNC_FLUSH };

/** Flush after every write, so that decoded bytes are available even if the input is truncated. */
const decompressors: Record<string, (opening: Buffer) => Decompressor> = {
  gzip: () => createGunzip(flushing),
  'x-gzip': () => createGunzip(flushing),
  deflate: (opening) =>
    beginsWithZlibHeader(opening) ? createInflate(flushing) : createInflateRaw(flushing),
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
    }),
  zstd: () => createZstdDecompress({ flush: constants.ZSTD_e_flush }),
};

/** Some servers send raw deflate, without the zlib header that RFC 9110 asks for. */
function beginsWithZlibHeader(opening: Buffer): boolean {
  return ((opening[0] ?? 0) & 0x8f) === 0x08;
}

/**
 * `isFile` disables the ratio limit, because silence and flat images legitimately compress well.
 */
export function decodeBody(
  contentEncoding: string | null,
  sink: ByteSink,
  { isFile, onFailure }: { isFile: () => boolean; onFailure: () => void },
): BodyDecoder {
  const codings = (contentEncoding ?? '').toLowerCase().split(',');
  return codings
    .map((coding) => decompressors[coding.trim()])
    .filter((create) => create !== undefined)
    .reduce<BodyDecoder>(
      (next, create) =>
        startWithBytes(next, (opening) => decompress(create(opening), next, isFile, onFailure)),
      { write: sink, end: async () => null },
    );
}

/** Creates the decoder for the first bytes. An empty body is complete, not truncated. */
function startWithBytes(next: BodyDecoder, create: (opening: Buffer) => BodyDecoder): BodyDecoder {
  let decoder: BodyDecoder | null = null;
  return {
    write(chunk) {
      if (chunk.byteLength === 0) return;
      decoder ??= create(chunk);
      return decoder.write(chunk);
    },
    end: (isStopped) => (decoder ?? next).end(isStopped),
  };
}

/** `next` is set if the body was compressed twice. */
function decompress(
  decompressor: Decompressor,
  next: BodyDecoder,
  isFile: () => boolean,
  onFailure: () => void,
): BodyDecoder {
  let consumed: Promise<unknown> = Promise.resolve();
  /** Resolves a pending write, because a failed decompressor never calls back. */
  let release: (() => void) | null = null;
  let packedBytes = 0;
  let unpackedBytes = 0;
  decompressor.on('close', () => release?.());
  decompressor.on('error', onFailure);
  const ended = new Promise<Error | null>((resolve) => {
    decompressor.on('error', resolve);
    decompressor.on('end', () => resolve(null));
  });
  decompressor.on('data', (bytes: Buffer) => {
    unpackedBytes += bytes.byteLength;
    const isMuch = unpackedBytes > Math.max(HARMLESS_BYTES, MAX_EXPANSION_RATIO * packedBytes);
    if (isMuch && !isFile()) {
      decompressor.destroy(new ExpansionError(`${packedBytes} bytes became ${unpackedBytes}`));
      return;
    }
    const waiting = next.write(bytes);
    if (!waiting) return;
    consumed = Promise.all([consumed, waiting]);
    // Even a small input can expand beyond the available memory.
    decompressor.pause();
    const resume = () => void decompressor.resume();
    // The error is reported by the pending write or by `end`.
    consumed.then(resume, resume);
  });
  const waitForEnd = () => consumed.then(() => undefined);
  const toError = (problem: Error | null): Error | null => {
    const isCut = problem !== null && 'code' in problem && problem.code === 'Z_BUF_ERROR';
    return isCut ? new TruncatedBodyError(`the compressed body: ${problem.message}`) : problem;
  };
  return {
    write(chunk) {
      if (decompressor.destroyed) return;
      packedBytes += chunk.byteLength;
      return new Promise((resolve, reject) => {
        release = resolve;
        decompressor.write(chunk, () => waitForEnd().then(resolve, reject));
      });
    },
    async end(isStopped) {
      if (!decompressor.destroyed) decompressor.end();
      const problem = await (isStopped ? Promise.race([ended, pause(MAX_REST_MS, null)]) : ended);
      decompressor.destroy();
      await waitForEnd();
      const failure = toError(problem);
      const inner = await next.end(isStopped || failure !== null);
      return isStopped && failure instanceof TruncatedBodyError ? inner : (failure ?? inner);
    },
  };
}
