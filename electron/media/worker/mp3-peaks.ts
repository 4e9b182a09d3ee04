/** The outline of an MP3, decoded in stretches. */
import type { FileHandle } from 'node:fs/promises';
import type { PeakTable } from '../../../shared/media-peaks.ts';
import { createPeakBuilder } from '../../../shared/peak-builder.ts';

/** The decoder's memory grows with what it gets at once. */
const READ_BYTES = 64 * 1024;

/** Null if nothing in it could be decoded. */
export async function readMp3Peaks(file: FileHandle): Promise<PeakTable | null> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const peaks = createPeakBuilder();
    const buffer = Buffer.alloc(READ_BYTES);
    let sampleRate = 0;
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES, position);
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
  peaks: ReturnType<typeof createPeakBuilder>,
  [first = new Float32Array(), second = first]: Float32Array[],
  count: number,
): void {
  for (let index = 0; index < count; index += 1) {
    const one = (first[index] ?? 0) * 32_767;
    const other = (second[index] ?? 0) * 32_767;
    peaks.add(one < other ? one : other, one < other ? other : one);
  }
}
