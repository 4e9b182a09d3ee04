/** Reads WAV headers, including those with unknown lengths. */
import type { FileHandle } from 'node:fs/promises';
import { readAt } from './read-at.ts';

export interface WavFormat {
  /** 1 is integer and 3 is floating point; other formats (A-law, ADPCM) can't be decoded. */
  encoding: number;
  channels: number;
  sampleRate: number;
  bitsPerSample: number;
  /** Size of a frame, which has one sample per channel. */
  frameBytes: number;
  dataOffset: number;
  /** The actual number of bytes in the file, which may differ from the header. */
  dataBytes: number;
  /** True if the header has a placeholder because the length was unknown. */
  isOpen: boolean;
  /** True if the header specifies more samples than the file contains. */
  isCut: boolean;
  /** True if audio follows that players ignore, because it has another format or no header. */
  hasMore: boolean;
}

type SampleFormat = Omit<WavFormat, 'dataOffset' | 'dataBytes' | 'isOpen' | 'isCut' | 'hasMore'>;

const INTEGER = 1;
const EXTENSIBLE = 0xfffe;
/** Metadata lists and cover art may precede the samples. */
const MAX_CHUNKS = 200;

/**
 * Reads the WAV file that starts at `start` and ends before `fileBytes`; returns null if there is
 * none with samples.
 */
export async function readWavFormat(
  file: FileHandle,
  fileBytes: number,
  start = 0,
): Promise<WavFormat | null> {
  const head = await readAt(file, start, 12);
  const form = head.toString('latin1', 0, 4);
  if ((form !== 'RIFF' && form !== 'RF64') || head.toString('latin1', 8, 12) !== 'WAVE') {
    return null;
  }

  let format: SampleFormat | null = null;
  let offset = start + 12;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const chunk = await readAt(file, offset, 8);
    if (chunk.length < 8) return null;
    const name = chunk.toString('latin1', 0, 4);
    const size = chunk.readUInt32LE(4);
    if (name === 'fmt ') {
      format = parseFormat(await readAt(file, offset + 8, Math.min(size, 40)));
    } else if (name === 'data') {
      if (format === null) return null;
      const dataOffset = offset + 8;
      const present = Math.max(0, fileBytes - dataOffset);
      const isOpen = isPlaceholder(size, present);
      const isCut = !isOpen && size - present >= format.frameBytes;
      const dataBytes = isOpen ? present : Math.min(size, present);
      const hasMore = await isAudioAt(file, dataOffset + dataBytes + (size % 2), fileBytes);
      return { ...format, dataOffset, dataBytes, isOpen, isCut, hasMore };
    }
    offset += 8 + size + (size % 2);
  }
  return null;
}

const MIN_PLACEHOLDER = 1_000_000_000;

/** Streamed WAV uses 0, all ones or a number such as 2,000,000,000 for an unknown length. */
function isPlaceholder(size: number, present: number): boolean {
  return size === 0 || size >= 0xffff_fff0 || (size >= MIN_PLACEHOLDER && size / 2 > present);
}

/** Fewer remaining bytes count as padding. */
const MIN_AUDIO_BYTES = 64;

/** Returns false for a metadata chunk, which may follow the samples. */
async function isAudioAt(file: FileHandle, offset: number, fileBytes: number): Promise<boolean> {
  const rest = fileBytes - offset;
  if (rest < MIN_AUDIO_BYTES) return false;
  const chunk = await readAt(file, offset, 8);
  const name = chunk.toString('latin1', 0, 4);
  if (name === 'RIFF' || name === 'RF64') return true;
  return !/^[A-Za-z0-9 _]{4}$/.test(name) || chunk.readUInt32LE(4) > rest - 8;
}

function parseFormat(bytes: Buffer): SampleFormat | null {
  if (bytes.length < 16) return null;
  const tag = bytes.readUInt16LE(0);
  const encoding = tag === EXTENSIBLE && bytes.length >= 26 ? bytes.readUInt16LE(24) : tag;
  const channels = bytes.readUInt16LE(2);
  const sampleRate = bytes.readUInt32LE(4);
  const frameBytes = bytes.readUInt16LE(12);
  const bitsPerSample = bytes.readUInt16LE(14);
  if (channels === 0 || sampleRate === 0 || frameBytes === 0) return null;
  return { encoding, channels, sampleRate, bitsPerSample, frameBytes };
}

export function getWavDurationSeconds(format: WavFormat): number | null {
  const { encoding, bitsPerSample, channels } = format;
  // Compressed encodings have many samples per frame.
  if (
    encoding > 8 ||
    (encoding === INTEGER && format.frameBytes < (channels * bitsPerSample) / 8)
  ) {
    return null;
  }
  return Math.floor(format.dataBytes / format.frameBytes) / format.sampleRate;
}

/** Fills in lengths that were unknown during recording; returns the sample bytes or null. */
export async function repairWavHeader(file: FileHandle, fileBytes: number): Promise<number | null> {
  const format = await readWavFormat(file, fileBytes);
  if (format === null) return null;
  const present = fileBytes - format.dataOffset;
  const dataBytes = present - (present % format.frameBytes);
  await writeWavLengths(file, format.dataOffset, dataBytes, fileBytes);
  return dataBytes;
}

/** `fileBytes` includes chunks after the samples. */
export async function writeWavLengths(
  file: FileHandle,
  dataOffset: number,
  dataBytes: number,
  fileBytes = dataOffset + dataBytes,
): Promise<void> {
  await writeLength(file, 4, fileBytes - 8);
  await writeLength(file, dataOffset - 4, dataBytes);
}

async function writeLength(file: FileHandle, offset: number, length: number): Promise<void> {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(Math.min(length, 0xffff_ffff));
  await file.write(bytes, 0, 4, offset);
}
