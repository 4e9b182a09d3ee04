/** Measures images, WAV and AVI from their headers; the worker measures other containers. */
import type { FileHandle } from 'node:fs/promises';
import type { Media } from '../../shared/media.ts';
import { readAt, withFile } from './read-at.ts';
import type { Sniffed } from './sniff.ts';
import { getWavDurationSeconds, readWavFormat } from './wav-header.ts';

export type ContainerMeasurer = (path: string, type: string) => Promise<Measurement>;

export async function measureMedia(
  path: string,
  { kind, type }: Sniffed,
  measureContainer: ContainerMeasurer,
): Promise<Measurement> {
  if (type === 'audio/wav') return withFile(path, measureWav);
  if (type === 'video/x-msvideo') return withFile(path, measureAvi);
  if (kind === 'audio' || kind === 'video') return measureContainer(path, type);
  if (kind !== 'image') return unmeasured;
  return withFile(path, async (file) => {
    const isCut = await isCutImage(type, file);
    return { ...unmeasured, ...(await measureImage(type, file)), ...(isCut && { isCut }) };
  });
}

async function measureWav(file: FileHandle): Promise<Measurement> {
  const format = await readWavFormat(file, (await file.stat()).size);
  if (format === null) return unmeasured;
  const { sampleRate, channels, isCut, hasMore } = format;
  const durationSeconds = getWavDurationSeconds(format);
  const problems = { ...(isCut && { isCut }), ...(hasMore && { hasMore }) };
  return { ...unmeasured, durationSeconds, sampleRate, channels, ...problems };
}

/**
 * The header is at a fixed offset: https://learn.microsoft.com/windows/win32/directshow/avi-riff-
 * file-reference
 */
async function measureAvi(file: FileHandle): Promise<Measurement> {
  const head = await readAt(file, 0, 88);
  if (head.length < 88 || head.toString('latin1', 24, 28) !== 'avih') return unmeasured;
  const microseconds = head.readUInt32LE(32);
  const frames = head.readUInt32LE(48);
  return {
    ...unmeasured,
    width: head.readUInt32LE(64) || null,
    height: head.readUInt32LE(68) || null,
    durationSeconds: (microseconds * frames) / 1e6 || null,
    frameRate: microseconds > 0 ? 1e6 / microseconds : null,
  };
}

export type Measurement = Pick<
  Media,
  'width' | 'height' | 'durationSeconds' | 'sampleRate' | 'channels' | 'frameRate'
> &
  /** `kind` and `type` are set only if a container's content differs from its signature. */
  Partial<Pick<Media, 'kind' | 'type' | 'isCut' | 'hasMore'>>;

export const unmeasured: Measurement = {
  width: null,
  height: null,
  durationSeconds: null,
  sampleRate: null,
  channels: null,
  frameRate: null,
};

interface ImageSize {
  width: number;
  height: number;
}

type Reader = (head: Buffer, file: FileHandle) => ImageSize | null | Promise<ImageSize | null>;

/** In every format except JPEG, the dimensions are within these bytes. */
const HEAD_BYTES = 4096;

const readers: Record<string, Reader> = {
  'image/png': (head) => size(head.readUInt32BE(16), head.readUInt32BE(20)),
  'image/gif': (head) => size(head.readUInt16LE(6), head.readUInt16LE(8)),
  'image/bmp': (head) =>
    head.readUInt32LE(14) === 12
      ? size(head.readUInt16LE(18), head.readUInt16LE(20))
      : // A negative height means that rows go from top to bottom.
        size(head.readInt32LE(18), Math.abs(head.readInt32LE(22))),
  'image/webp': readWebpSize,
  'image/avif': readIsobmffSize,
  'image/heic': readIsobmffSize,
  'image/jpeg': (_head, file) => readJpegSize(file),
  'image/tiff': readTiffSize,
};

/** Returns null if the type is unknown or the header is damaged. */
export async function measureImage(type: string, file: FileHandle): Promise<ImageSize | null> {
  const read = readers[type];
  if (read === undefined) return null;
  try {
    return await read(await readAt(file, 0, HEAD_BYTES), file);
  } catch (cause) {
    // Reading a truncated file throws a RangeError.
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}

const cutReaders: Record<string, (file: FileHandle, fileBytes: number) => Promise<boolean>> = {
  'image/png': isCutPng,
  'image/jpeg': isCutJpeg,
  'image/webp': async (file, fileBytes) =>
    (await readAt(file, 0, 8)).readUInt32LE(4) + 8 > fileBytes,
};

/** Returns true if the end of the image is missing; false if the type's end isn't known. */
async function isCutImage(type: string, file: FileHandle): Promise<boolean> {
  try {
    return (await cutReaders[type]?.(file, (await file.stat()).size)) ?? false;
  } catch (cause) {
    // Reading past the end throws a RangeError.
    if (cause instanceof RangeError) return true;
    throw cause;
  }
}

/** No encoder writes this many chunks. */
const MAX_CHUNKS = 100_000;

/** Follows the chunks to the last one: https://www.w3.org/TR/png-3/#5Chunk-layout */
async function isCutPng(file: FileHandle, fileBytes: number): Promise<boolean> {
  let offset = 8;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = await readAt(file, offset, 8);
    offset += 12 + head.readUInt32BE(0);
    if (offset > fileBytes) return true;
    if (head.toString('latin1', 4, 8) === 'IEND') return false;
  }
  return false;
}

/** Some cameras append data, such as a preview or a video, after the image. */
const JPEG_TAIL_BYTES = 64 * 1024;

async function isCutJpeg(file: FileHandle, fileBytes: number): Promise<boolean> {
  const tail = await readAt(file, Math.max(0, fileBytes - JPEG_TAIL_BYTES), JPEG_TAIL_BYTES);
  return !tail.includes(Buffer.from([0xff, 0xd9]));
}

function size(width: number, height: number): ImageSize | null {
  return width > 0 && height > 0 ? { width, height } : null;
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function readWebpSize(head: Buffer): ImageSize | null {
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

/** Uses the largest entry, because smaller ones are tiles and thumbnails. */
function readIsobmffSize(head: Buffer): ImageSize | null {
  let largest: ImageSize | null = null;
  for (let at = head.indexOf('ispe'); at >= 0; at = head.indexOf('ispe', at + 4)) {
    const found = size(head.readUInt32BE(at + 8), head.readUInt32BE(at + 12));
    if (found && found.width * found.height > (largest?.width ?? 0) * (largest?.height ?? 0)) {
      largest = found;
    }
  }
  return largest;
}

/** Tags 256 and 257 of the first directory are width and height: TIFF 6.0, sections 2 and 8. */
async function readTiffSize(head: Buffer, file: FileHandle): Promise<ImageSize | null> {
  const isLittle = head.toString('latin1', 0, 2) === 'II';
  const short = (bytes: Buffer, at: number) =>
    isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
  const long = (bytes: Buffer, at: number) =>
    isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  const directory = long(head, 4);
  const count = short(await readAt(file, directory, 2), 0);
  const entries = await readAt(file, directory + 2, 12 * count);
  const sides = { 256: 0, 257: 0 };
  for (let at = 0; at + 12 <= entries.length; at += 12) {
    const tag = short(entries, at);
    if (tag === 256 || tag === 257) {
      const isShort = short(entries, at + 2) === 3;
      sides[tag] = isShort ? short(entries, at + 8) : long(entries, at + 8);
    }
  }
  return size(sides[256], sides[257]);
}

/** No camera writes this many segments. */
const MAX_SEGMENTS = 500;
const NOT_A_FRAME = [0xc4, 0xc8, 0xcc];
const EXIF_MARKER = 0xe1;

/** Segments before the frame header are defined in ITU T.81, B.1.1. */
async function readJpegSize(file: FileHandle): Promise<ImageSize | null> {
  let offset = 2;
  let isTurned = false;
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
      const [height, width] = [segment.readUInt16BE(5), segment.readUInt16BE(7)];
      return isTurned ? size(height, width) : size(width, height);
    }
    if (marker === EXIF_MARKER) {
      isTurned ||= isTurnedByExif(await readAt(file, offset + 4, EXIF_BYTES));
    }
    offset += 2 + segment.readUInt16BE(2);
  }
  return null;
}

/** The first directory, which contains the orientation, fits in this many bytes. */
const EXIF_BYTES = 1024;
const ORIENTATION = 0x0112;
/** These orientations swap width and height. */
const TURNED = [5, 6, 7, 8];

/** The orientation is defined in Exif 2.32, 4.6.2 and 4.6.4. */
function isTurnedByExif(segment: Buffer): boolean {
  const tiff = segment.subarray(6);
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0' || tiff.length < 8) return false;
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => {
    if (at + 2 > tiff.length) return 0;
    return isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  };
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(directory); entry += 1) {
    const at = directory + 2 + 12 * entry;
    if (short(at) === ORIENTATION) return TURNED.includes(short(at + 8));
  }
  return false;
}
