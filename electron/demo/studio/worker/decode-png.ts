/** Decodes PNG files of 8 bits without interlacing: https://www.w3.org/TR/png-3/ */
import { inflateSync } from 'node:zlib';

export interface DecodedPng {
  width: number;
  height: number;
  /** Four bytes per pixel. */
  rgba: Uint8Array;
}

const HEAD_BYTES = 8;
/** Samples per pixel by color type: gray, RGB, palette, gray with alpha, RGB with alpha. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const MAX_PIXELS = 64 * 1024 * 1024;

/** Returns null for other file types, damaged files and other bit depths. */
export function decodePng(bytes: Uint8Array): DecodedPng | null {
  try {
    return decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch {
    return null;
  }
}

function decode(file: Buffer): DecodedPng | null {
  if (file.readUInt32BE(0) !== 0x89504e47) return null;
  let palette: Buffer = Buffer.alloc(0);
  let alpha: Buffer = Buffer.alloc(0);
  let header: Buffer | null = null;
  const data: Buffer[] = [];
  for (let at = HEAD_BYTES; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const chunk = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = chunk;
    else if (type === 'PLTE') palette = chunk;
    else if (type === 'tRNS') alpha = chunk;
    else if (type === 'IDAT') data.push(chunk);
    else if (type === 'IEND') break;
    at += length + 12;
  }
  if (header === null) return null;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, color = 0, , , interlace] = header.subarray(8);
  const samples = SAMPLES[color];
  if (depth !== 8 || interlace !== 0 || samples === undefined) return null;
  if (width * height > MAX_PIXELS) return null;
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * samples, height, samples);
  const rgba = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const from = rows.subarray(pixel * samples, (pixel + 1) * samples);
    const [first = 0, second = 255, third = 0, fourth = 255] = from;
    if (color === 3) {
      const at = first * 3;
      rgba.set([...palette.subarray(at, at + 3), alpha[first] ?? 255], pixel * 4);
    } else if (samples <= 2) rgba.set([first, first, first, second], pixel * 4);
    else rgba.set([first, second, third, fourth], pixel * 4);
  }
  return { width, height, rgba };
}

/** Reverses the filter of each row, which its first byte names. */
function unfilter(data: Buffer, rowBytes: number, height: number, samples: number): Uint8Array {
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (rowBytes + 1)] ?? 0;
    const source = y * (rowBytes + 1) + 1;
    const target = y * rowBytes;
    for (let x = 0; x < rowBytes; x += 1) {
      const left = x < samples ? 0 : (rows[target + x - samples] ?? 0);
      const above = y === 0 ? 0 : (rows[target + x - rowBytes] ?? 0);
      const corner = x < samples || y === 0 ? 0 : (rows[target + x - rowBytes - samples] ?? 0);
      rows[target + x] = (data[source + x] ?? 0) + predict(filter, left, above, corner);
    }
  }
  return rows;
}

function predict(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? paeth(left, above, corner) : 0;
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const toLeft = Math.abs(estimate - left);
  const toAbove = Math.abs(estimate - above);
  const toCorner = Math.abs(estimate - corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
