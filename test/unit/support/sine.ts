/** Makes sines and measures their loudness. */
import { createLoudnessMeter } from '../../../shared/loudness.ts';

/** A section of audio with one sine per channel, whose peaks are in `dbfs`. */
export interface AudioPart {
  seconds: number;
  dbfs: readonly number[];
}

export function sine(
  parts: readonly AudioPart[],
  sampleRate: number,
  hertz = 1000,
): Float32Array[] {
  const channelCount = parts[0]?.dbfs.length ?? 0;
  const lengths = parts.map(({ seconds }) => Math.round(seconds * sampleRate));
  const length = lengths.reduce((sum, one) => sum + one, 0);
  return Array.from({ length: channelCount }, (_, channel) => {
    const samples = new Float32Array(length);
    let at = 0;
    for (const [index, { dbfs }] of parts.entries()) {
      const peak = 10 ** ((dbfs[channel] ?? -200) / 20);
      for (const end = at + (lengths[index] ?? 0); at < end; at += 1) {
        samples[at] = peak * Math.sin((2 * Math.PI * hertz * at) / sampleRate);
      }
    }
    return samples;
  });
}

export function measureLoudness(
  channels: readonly Float32Array[],
  sampleRate: number,
): number | null {
  const meter = createLoudnessMeter(sampleRate, channels.length);
  meter.add(channels);
  return meter.finish();
}

export const stereo = (dbfs: number, seconds: number): AudioPart => ({
  seconds,
  dbfs: [dbfs, dbfs],
});
