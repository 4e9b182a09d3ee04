/**
 * Computes the peaks of WAV and MP3 files in chunks, so that memory use doesn't grow with duration.
 */
import type { FileHandle } from 'node:fs/promises';
import {
  createPeakBuilder,
  type PeakBuilder,
  type PeakTable,
} from '../../../shared/media-peaks.ts';
import { withFile } from '../read-at.ts';
import { readWavFormat, type WavFormat } from '../wav-header.ts';

const READ_BYTES = 1024 * 1024;
const INTEGER = 1;
const FLOAT = 3;

type ReadSample = (view: DataView, offset: number) => number;

export function readPeaks(path: string, type: string): Promise<PeakTable | null> {
  return withFile(path, async (file) => {
    if (type === 'audio/wav') return readWavPeaks(file, (await file.stat()).size);
    if (type === 'audio/mpeg') return readMp3Peaks(file);
    return null;
  });
}

/** Returns null for encodings that can't be decoded (A-law, ADPCM). */
async function readWavPeaks(file: FileHandle, fileBytes: number): Promise<PeakTable | null> {
  const format = await readWavFormat(file, fileBytes);
  const readSample = format && sampleReader(format);
  if (!format || !readSample) return null;

  const { channels, frameBytes, dataOffset, dataBytes } = format;
  const sampleBytes = format.bitsPerSample / 8;
  const peaks = createPeakBuilder();
  const buffer = Buffer.alloc(Math.max(frameBytes, READ_BYTES - (READ_BYTES % frameBytes)));
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);

  for (let done = 0; done < dataBytes; ) {
    const room = Math.min(buffer.length, dataBytes - done);
    const { bytesRead } = await file.read(buffer, 0, room, dataOffset + done);
    if (bytesRead === 0) break;
    for (let frame = 0; frame + frameBytes <= bytesRead; frame += frameBytes) {
      let min = readSample(view, frame);
      let max = min;
      for (let channel = 1; channel < channels; channel += 1) {
        const sample = readSample(view, frame + channel * sampleBytes);
        if (sample < min) min = sample;
        if (sample > max) max = sample;
      }
      peaks.add(min, max);
    }
    done += bytesRead;
  }
  return peaks.finish(format.sampleRate);
}

function sampleReader({ encoding, bitsPerSample, channels, frameBytes }: WavFormat) {
  if (frameBytes !== (channels * bitsPerSample) / 8) return null;
  return readers[`${encoding}/${bitsPerSample}`] ?? null;
}

const readers: Record<string, ReadSample> = {
  [`${INTEGER}/8`]: (view, at) => (view.getUint8(at) - 128) * 256,
  [`${INTEGER}/16`]: (view, at) => view.getInt16(at, true),
  [`${INTEGER}/24`]: (view, at) => view.getInt16(at + 1, true),
  [`${INTEGER}/32`]: (view, at) => view.getInt16(at + 2, true),
  [`${FLOAT}/32`]: (view, at) => view.getFloat32(at, true) * 32_767,
  [`${FLOAT}/64`]: (view, at) => view.getFloat64(at, true) * 32_767,
};

/** The decoder's memory grows with the chunk size. */
const MP3_READ_BYTES = 64 * 1024;

async function readMp3Peaks(file: FileHandle): Promise<PeakTable | null> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const peaks = createPeakBuilder();
    const buffer = Buffer.alloc(MP3_READ_BYTES);
    let sampleRate = 0;
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, MP3_READ_BYTES, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      const decoded = decoder.decode(buffer.subarray(0, bytesRead));
      if (decoded.samplesDecoded === 0) continue;
      sampleRate = decoded.sampleRate;
      addSamples(peaks, decoded.channelData, decoded.samplesDecoded);
    }
    return sampleRate === 0 ? null : peaks.finish(sampleRate);
  } finally {
    decoder.free();
  }
}

function addSamples(
  peaks: PeakBuilder,
  [first = new Float32Array(), second = first]: Float32Array[],
  count: number,
): void {
  for (let index = 0; index < count; index += 1) {
    const one = (first[index] ?? 0) * 32_767;
    const other = (second[index] ?? 0) * 32_767;
    peaks.add(one < other ? one : other, one < other ? other : one);
  }
}
