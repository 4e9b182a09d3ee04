/** The outline of a WAV file, read in stretches: an hour needs no more memory than a second. */
import type { FileHandle } from 'node:fs/promises';
import type { PeakTable } from '../../../shared/media-peaks.ts';
import { createPeakBuilder } from '../../../shared/peak-builder.ts';
import { readWavFormat, type WavFormat } from '../wav-header.ts';

const READ_BYTES = 1024 * 1024;
const INTEGER = 1;
const FLOAT = 3;

type ReadSample = (view: DataView, offset: number) => number;

/** Null if the samples are packed in a way that is only passed on (A-law, ADPCM). */
export async function readWavPeaks(file: FileHandle, fileBytes: number): Promise<PeakTable | null> {
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
      let least = readSample(view, frame);
      let greatest = least;
      for (let channel = 1; channel < channels; channel += 1) {
        const sample = readSample(view, frame + channel * sampleBytes);
        if (sample < least) least = sample;
        if (sample > greatest) greatest = sample;
      }
      peaks.add(least, greatest);
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
