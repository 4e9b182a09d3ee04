/** Decodes, scales and encodes one image, off the main thread. */
import type { TargetFormat } from './image-limits.ts';

export interface ImageWorkerRequest {
  url: string;
  /** The media type of the source. */
  type: string;
  /** The longest side of the result in pixels; null keeps the size. */
  maxSide: number | null;
  /** Formats to try until the result is at most `maxBytes`; if none fits, the last one is used. */
  formats: readonly TargetFormat[];
  maxBytes: number;
}

export type ImageWorkerResponse = { blob: Blob } | { problem: string };

const JPEG_QUALITY = 0.9;

async function prepare({
  url,
  type,
  maxSide,
  formats,
  maxBytes,
}: ImageWorkerRequest): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The file couldn’t be loaded (status ${response.status}).`);
  const source = await decode(await response.blob(), type);
  let result: Blob | null = null;
  for (const format of formats) {
    result = await encode(source, maxSide, format);
    if (result.size <= maxBytes) break;
  }
  source.close();
  if (result === null) throw new Error('There is no format.');
  return result;
}

async function decode(blob: Blob, type: string): Promise<ImageBitmap> {
  if (type === 'image/tiff') return createImageBitmap(await decodeTiff(await blob.arrayBuffer()));
  if (type === 'image/heic') {
    const { decodeHeic } = await import('./decode-heic.ts');
    return createImageBitmap(await decodeHeic(new Uint8Array(await blob.arrayBuffer())));
  }
  return createImageBitmap(blob);
}

/** Decodes the largest page, because the others are previews. */
async function decodeTiff(bytes: ArrayBuffer): Promise<ImageData> {
  const { decode, decodeImage, toRGBA8 } = await import('utif2');
  const [page] = decode(bytes).toSorted((one, other) => countPixels(other) - countPixels(one));
  if (page === undefined) throw new Error('The TIFF has no image.');
  decodeImage(bytes, page);
  const rgba = new Uint8ClampedArray(toRGBA8(page));
  return new ImageData(rgba, page.width, page.height);
}

/** Tags 256 and 257 are the width and the height: TIFF 6.0, section 8. */
function countPixels(page: Readonly<Record<string, unknown>>): number {
  const side = (tag: string) => {
    const value = page[tag];
    return Array.isArray(value) ? Number(value[0]) : 0;
  };
  return side('t256') * side('t257');
}

async function encode(
  source: ImageBitmap,
  maxSide: number | null,
  type: TargetFormat,
): Promise<Blob> {
  const scale = maxSide === null ? 1 : Math.min(1, maxSide / Math.max(source.width, source.height));
  const width = Math.max(1, Math.round(source.width * scale));
  const height = Math.max(1, Math.round(source.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('There is no canvas.');
  if (type === 'image/jpeg') {
    // JPEG has no transparency, which would become black.
    context.fillStyle = 'white';
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, width, height);
  return canvas.convertToBlob({ type, quality: JPEG_QUALITY });
}

addEventListener('message', ({ data }: MessageEvent<ImageWorkerRequest>) => {
  prepare(data).then(
    (blob) => answer({ blob }),
    (cause: unknown) => answer({ problem: String(cause) }),
  );
});

function answer(message: ImageWorkerResponse): void {
  self.postMessage(message);
}
