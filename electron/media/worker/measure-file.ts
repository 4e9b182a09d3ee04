/** Measures audio and video in the worker. */
import type { FileHandle } from 'node:fs/promises';
import {
  type AudioFrame,
  FRAME_HEADER_BYTES,
  type FrameReader,
  isFramed,
  readAdtsFrame,
  readMpegFrame,
} from '../audio-frames.ts';
import { type Measurement, unmeasured } from '../measure-media.ts';
import { withFile } from '../read-at.ts';
import { audioOnlyTypes } from '../sniff.ts';

/** Counts raw frames, because no header has a reliable duration; parses other containers. */
export function measureFile(path: string, type: string): Promise<Measurement> {
  const read = frameReaders[type];
  return read ? withFile(path, (file) => measureFrames(file, read)) : measureContainer(path, type);
}

/** This many packets are enough to estimate the frame rate. */
const PACKETS_FOR_RATE = 200;

export async function measureContainer(path: string, type: string): Promise<Measurement> {
  const { ALL_FORMATS, FilePathSource, Input } = await import('mediabunny');
  // Without a listener, an error between two reads would crash the worker.
  const source = new FilePathSource(path, { handleUnhandledError: () => undefined });
  const input = new Input({ source, formats: ALL_FORMATS });
  try {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    const measured: Measurement = {
      ...unmeasured,
      durationSeconds: toPositive(await input.computeDuration()),
      sampleRate: audio && (await audio.getSampleRate()),
      channels: audio && (await audio.getNumberOfChannels()),
    };
    if (video === null) {
      const audioType = audio && audioOnlyTypes[type];
      return audioType ? { ...measured, kind: 'audio', type: audioType } : measured;
    }
    const { averagePacketRate } = await video.computePacketStats(PACKETS_FOR_RATE);
    return {
      ...measured,
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      frameRate: toPositive(averagePacketRate),
    };
  } finally {
    input.dispose();
  }
}

function toPositive(value: number): number | null {
  return Number.isFinite(value) && value > 0 ? value : null;
}

const CHUNK_BYTES = 1024 * 1024;

const frameReaders: Readonly<Record<string, FrameReader>> = {
  'audio/mpeg': readMpegFrame,
  'audio/aac': readAdtsFrame,
};

async function measureFrames(file: FileHandle, read: FrameReader): Promise<Measurement> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let present = chunk.subarray(0, 0);
  let first: AudioFrame | null = null;
  let samples = 0;
  let frames = 0;
  /** Number of frames according to the seek table. */
  let promised = 0;
  /** Offset where the contiguous frames end. */
  let end = 0;
  let position = 0;
  for (let offset = 0; ; ) {
    if (offset + FRAME_HEADER_BYTES > present.length) {
      position += offset;
      present = chunk.subarray(0, (await file.read(chunk, 0, CHUNK_BYTES, position)).bytesRead);
      offset = 0;
      if (present.length < FRAME_HEADER_BYTES) break;
      if (position === 0) offset = tagBytes(present);
      if (offset > 0) continue;
    }
    const frame = read(present, offset);
    if (frame === null || (first === null && !isFramed(present.subarray(offset), read))) {
      // Skip a trailing tag or damaged bytes.
      offset += 1;
      continue;
    }
    if (first === null) {
      first = frame;
      end = position + offset;
      const table = readTable(present.subarray(offset, offset + frame.bytes));
      if (table !== null) {
        samples -= frame.samples;
        frames -= 1;
        promised = table.frames;
      }
    }
    samples += frame.samples;
    frames += 1;
    // A trailing tag may contain bytes that look like a frame.
    if (position + offset === end) end += frame.bytes;
    offset += frame.bytes;
  }
  if (first === null)
    return (await isTagAlone(file)) ? { ...unmeasured, durationSeconds: 0 } : unmeasured;
  const { sampleRate, channels } = first;
  const isInFrame = end > (await file.stat()).size;
  const isInHeader = position === end && present[0] === 0xff;
  // Some encoders include the seek table's own frame in the count.
  const isCut = isInFrame || isInHeader || frames + 1 < promised;
  const durationSeconds = samples / sampleRate;
  return { ...unmeasured, durationSeconds, sampleRate, channels, ...(isCut && { isCut }) };
}

/** For empty text, some gateways send only an ID3 tag padded with zeros. */
async function isTagAlone(file: FileHandle): Promise<boolean> {
  const head = Buffer.alloc(10);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  const tag = tagBytes(head.subarray(0, bytesRead));
  const rest = (await file.stat()).size - tag;
  if (tag === 0 || rest > MAX_PADDING_BYTES) return false;
  const padding = Buffer.alloc(Math.max(0, rest));
  await file.read(padding, 0, padding.length, tag);
  return padding.every((byte) => byte === 0);
}

const MAX_PADDING_BYTES = 64 * 1024;

/**
 * An ID3 size is four 7-bit groups and excludes the header: https://id3.org/id3v2.4.0-structure,
 * 3.1
 */
function tagBytes(head: Buffer): number {
  if (head.toString('latin1', 0, 3) !== 'ID3' || head.length < 10) return 0;
  return 10 + [6, 7, 8, 9].reduce((size, at) => (size << 7) | ((head[at] ?? 0) & 0x7f), 0);
}

/** The first frame may be a seek table; `frames` is 0 if it has no count. */
function readTable(frame: Buffer): { frames: number } | null {
  const head = frame.subarray(0, 64);
  const number = (at: number) => (at + 4 <= head.length ? head.readUInt32BE(at) : 0);
  for (const name of ['Xing', 'Info']) {
    const at = head.indexOf(name);
    if (at !== -1) return { frames: (number(at + 4) & 1) === 1 ? number(at + 8) : 0 };
  }
  const at = head.indexOf('VBRI');
  return at === -1 ? null : { frames: number(at + 14) };
}
