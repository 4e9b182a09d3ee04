/** Writes indexed-colour PNG files (https://www.w3.org/TR/png-3/). */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const INDEXED_COLOUR = 3;
const compress = promisify(deflate);

export interface IndexedPicture {
  width: number;
  height: number;
  /** Red, green, blue of each colour; at most 256 colours. */
  palette: readonly (readonly [number, number, number])[];
  /** One palette index a pixel, row by row. */
  pixels: Uint8Array;
}

/** Compression runs on a worker thread, so large pictures do not hold other requests up. */
export async function encodePng({
  width,
  height,
  palette,
  pixels,
}: IndexedPicture): Promise<Buffer> {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, INDEXED_COLOUR, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', await compress(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(typed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}
