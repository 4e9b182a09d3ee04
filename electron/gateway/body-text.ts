/** Turns the bytes of a body into text: decompresses where they are compressed, decodes UTF-8 across chunks. */
import { StringDecoder } from 'node:string_decoder';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';

export interface BodyText {
  write(chunk: Buffer): void;
  /** Resolves when all text was handed over, with what went wrong in decompressing. */
  end(): Promise<Error | null>;
}

const flushing = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

/** Cut input still yields all that can be read of it. */
const decompressors: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: () => createGunzip(flushing),
  'x-gzip': () => createGunzip(flushing),
  deflate: () => createInflate(flushing),
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
  zstd: () =>
    createZstdDecompress({ flush: constants.ZSTD_e_flush, finishFlush: constants.ZSTD_e_flush }),
};

/** `onText` may be called later than `write`, when the body is compressed. */
export function readBodyText(
  contentEncoding: string | null,
  onText: (text: string) => void,
): BodyText {
  const utf8 = new StringDecoder('utf8');
  const decode = (bytes: Buffer) => {
    const text = utf8.write(bytes);
    if (text !== '') onText(text);
  };
  const create = decompressors[contentEncoding?.trim().toLowerCase() ?? ''];
  if (!create) return { write: decode, end: async () => null };

  const decompressor = create();
  const ended = new Promise<Error | null>((resolve) => {
    decompressor.on('error', resolve);
    decompressor.on('end', () => resolve(null));
  });
  decompressor.on('data', decode);
  return {
    write(chunk) {
      if (!decompressor.destroyed) decompressor.write(chunk);
    },
    end() {
      if (!decompressor.destroyed) decompressor.end();
      return ended;
    },
  };
}
