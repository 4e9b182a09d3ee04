/** Decompresses a response body, and stops if the expansion ratio is suspicious. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';

export type ByteSink = (bytes: Buffer) => void | Promise<void>;

export interface BodyDecoder {
  write(chunk: Buffer): void | Promise<void>;
  /**
   * Resolves to the decompression error or null; `isStopped` allows dropping the remaining bytes.
   */
  end(isStopped: boolean): Promise<Error | null>;
}

/** Text, JSON and events expand less than this ratio; a gzip bomb reaches 1,000. */
export const MAX_EXPANSION_RATIO = 200;
const HARMLESS_BYTES = 32 * 1024 * 1024;

export class ExpansionError extends Error {}

export class TruncatedBodyError extends Error {}

const MAX_REST_MS = 30;

const flushing = { flush: constants.Z_SYNC_FLUSH };

/** Flushing outputs all decoded bytes immediately, even if the input is truncated. */
const decompressors: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: () => createGunzip(flushing),
  'x-gzip': () => createGunzip(flushing),
  deflate: () => createInflate(flushing),
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
    }),
  zstd: () => createZstdDecompress({ flush: constants.ZSTD_e_flush }),
};

/** `isFile` disables the expansion limit, because silence and still images compress well. */
export function decodeBody(
  contentEncoding: string | null,
  sink: ByteSink,
  { isFile, onFailure }: { isFile: () => boolean; onFailure: () => void },
): BodyDecoder {
  const codings = (contentEncoding ?? '').toLowerCase().split(',');
  return codings
    .map((coding) => decompressors[coding.trim()])
    .filter((create) => create !== undefined)
    .reduce<BodyDecoder>((next, create) => decompress(create(), next, isFile, onFailure), {
      write: sink,
      end: async () => null,
    });
}

/** `next` is another decoder if the body was compressed twice. */
function decompress(
  decompressor: ReturnType<typeof createGunzip>,
  next: BodyDecoder,
  isFile: () => boolean,
  onFailure: () => void,
): BodyDecoder {
  let consumed: Promise<unknown> = Promise.resolve();
  /** Resolves a pending write, which a failed decompressor never does. */
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
    // A small input may expand beyond the available memory.
    decompressor.pause();
    const resume = () => void decompressor.resume();
    // The pending write or `end` reports the error.
    consumed.then(resume, resume);
  });
  const settled = () => consumed.then(() => undefined);
  /** An empty input is an empty body, not a truncated one. */
  const toError = (problem: Error | null): Error | null => {
    const isCut = problem !== null && 'code' in problem && problem.code === 'Z_BUF_ERROR';
    if (!isCut) return problem;
    return packedBytes === 0
      ? null
      : new TruncatedBodyError(`the compressed body: ${problem.message}`);
  };
  return {
    write(chunk) {
      if (decompressor.destroyed) return;
      packedBytes += chunk.byteLength;
      return new Promise((resolve, reject) => {
        release = resolve;
        decompressor.write(chunk, () => settled().then(resolve, reject));
      });
    },
    async end(isStopped) {
      if (!decompressor.destroyed) decompressor.end();
      const problem = await (isStopped ? Promise.race([ended, pause(MAX_REST_MS, null)]) : ended);
      decompressor.destroy();
      await settled();
      const failure = toError(problem);
      const inner = await next.end(isStopped || failure !== null);
      return isStopped && failure instanceof TruncatedBodyError ? inner : (failure ?? inner);
    },
  };
}
