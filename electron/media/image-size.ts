/** Pixels of an image, from its header alone. */
import type { FileHandle } from 'node:fs/promises';
import { readAt } from './read-at.ts';

interface ImageSize {
  width: number;
  height: number;
}

type Reader = (head: Buffer, file: FileHandle) => ImageSize | null | Promise<ImageSize | null>;

/** Enough for everything but a JPEG, whose size comes after its metadata. */
const HEAD_BYTES = 4096;

const readers: Record<string, Reader> = {
  'image/png': (head) => size(head.readUInt32BE(16), head.readUInt32BE(20)),
  'image/gif': (head) => size(head.readUInt16LE(6), head.readUInt16LE(8)),
  'image/bmp': (head) =>
    head.readUInt32LE(14) === 12
      ? size(head.readUInt16LE(18), head.readUInt16LE(20))
      : // A negative height means that the rows go from top to bottom.
        size(head.readInt32LE(18), Math.abs(head.readInt32LE(22))),
  'image/webp': webpSize,
  'image/avif': isobmffSize,
  'image/heic': isobmffSize,
  'image/jpeg': (_head, file) => jpegSize(file),
};

/** Null where the type is none of these or the header is damaged. */
export async function measureImage(type: string, file: FileHandle): Promise<ImageSize | null> {
  const read = readers[type];
  if (read === undefined) return null;
  try {
    return await read(await readAt(file, 0, HEAD_BYTES), file);
  } catch (cause) {
    // Beyond the end of a file that was cut off.
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}

function size(width: number, height: number): ImageSize | null {
  return width > 0 && height > 0 ? { width, height } : null;
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(head: Buffer): ImageSize | null {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return size(head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1);
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return size((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
    }
    case 'VP8 ':
      return size(head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff);
    default:
      return null;
  }
}

/** The largest of the image properties: grids and thumbnails have boxes of their own. */
function isobmffSize(head: Buffer): ImageSize | null {
  let largest: ImageSize | null = null;
  for (let at = head.indexOf('ispe'); at >= 0; at = head.indexOf('ispe', at + 4)) {
    const found = size(head.readUInt32BE(at + 8), head.readUInt32BE(at + 12));
    if (found && found.width * found.height > (largest?.width ?? 0) * (largest?.height ?? 0)) {
      largest = found;
    }
  }
  return largest;
}

/** More segments than any camera writes. */
const MAX_SEGMENTS = 500;
const NOT_A_FRAME = [0xc4, 0xc8, 0xcc];

/** ITU T.81, B.1.1: marker after marker until a frame header. */
async function jpegSize(file: FileHandle): Promise<ImageSize | null> {
  let offset = 2;
  for (let count = 0; count < MAX_SEGMENTS; count += 1) {
    const segment = await readAt(file, offset, 9);
    if (segment.readUInt8(0) !== 0xff) return null;
    const marker = segment.readUInt8(1);
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    if (marker === 0xd8 || (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01) {
      offset += 2;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && !NOT_A_FRAME.includes(marker)) {
      return size(segment.readUInt16BE(7), segment.readUInt16BE(5));
    }
    offset += 2 + segment.readUInt16BE(2);
  }
  return null;
}
