/** The bytes of a body as they were before they were compressed, where they are. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';

/** Takes the next bytes; a promise holds back what follows. */
export type ByteSink = (bytes: Buffer) => void | Promise<void>;

export interface BodyDecoder {
  /** A promise where what follows is to wait. */
  write(chunk: Buffer): void | Promise<void>;
  /**
   * Resolves when all bytes were handed over, with what went wrong in decompressing. `givenUp`: nobody waits
   * for what a little input can still be blown up to.
   */
  end(givenUp: boolean): Promise<Error | null>;
}

/** No text, JSON or stream of events packs so well; gzip alone can reach a thousand. */
export const MAX_EXPANSION_RATIO = 200;
/** Up to this size it does not matter. */
const HARMLESS_BYTES = 32 * 1024 * 1024;

/** A reply of little input that is blown up without end. */
export class ExpansionError extends Error {}

/** The bytes ended in the middle of what they are to become. */
export class TruncatedBodyError extends Error {}

/** What is left is decompressed for so long where nobody waits for it. */
const REST_MS = 30;

const flushing = { flush: constants.Z_SYNC_FLUSH };

/** All that can be read of what has come is handed over at once, also of input that is cut then. */
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

/**
 * `sink` may be called later than `write`, when the body is compressed. `isFile`: silence and still pictures may
 * expand as they like. `onFailure`: nothing more can be read of it.
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
    .reduce<BodyDecoder>((next, create) => decompress(create(), next, isFile, onFailure), {
      write: sink,
      end: async () => null,
    });
}

/** `next` takes what comes out: another decoder where it was compressed twice. */
function decompress(
  decompressor: ReturnType<typeof createGunzip>,
  next: BodyDecoder,
  isFile: () => boolean,
  onFailure: () => void,
): BodyDecoder {
  let consumed: Promise<unknown> = Promise.resolve();
  /** Of a write that is not done: what breaks the decompressor leaves it without an answer. */
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
    // Little input can become more than memory holds.
    decompressor.pause();
    const resume = () => void decompressor.resume();
    // Whoever waits for a write, or for the end, gets the failure.
    consumed.then(resume, resume);
  });
  const settled = () => consumed.then(() => undefined);
  /** Nothing at all is an empty body, not a cut one. */
  const named = (problem: Error | null): Error | null => {
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
    async end(givenUp) {
      if (!decompressor.destroyed) decompressor.end();
      const problem = await (givenUp ? Promise.race([ended, pause(REST_MS, null)]) : ended);
      decompressor.destroy();
      await settled();
      const failure = named(problem);
      const inner = await next.end(givenUp || failure !== null);
      return givenUp && failure instanceof TruncatedBodyError ? inner : (failure ?? inner);
    },
  };
}
