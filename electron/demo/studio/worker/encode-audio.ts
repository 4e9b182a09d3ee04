/** The interface of all speech encoders, and the encoder of pcm and WAV. */
import { type WavShape, wavHeader } from '../../../../shared/wav.ts';

/** All formats are mono at this rate; the interface expects it of pcm, which has no header. */
export const SPEECH_SAMPLE_RATE = 24_000;

export interface SpeechEncoder {
  /** Returns the bytes that are ready; there may be none. */
  encode: (samples: Int16Array) => Promise<Uint8Array>;
  finish: () => Promise<Uint8Array>;
}

const shape: WavShape = { sampleRate: SPEECH_SAMPLE_RATE, channels: 1 };

/** With `isWhole`, all bytes come from `finish`, with the duration in the header. */
export function createPcmEncoder(format: 'pcm' | 'wav', isWhole: boolean): SpeechEncoder {
  const header = (sizeBytes: number | null) =>
    format === 'wav' ? [wavHeader(shape, sizeBytes)] : [];
  const parts: Uint8Array[] = isWhole ? [] : header(null);
  const take = () => Buffer.concat(parts.splice(0));
  return {
    async encode({ buffer, byteOffset, byteLength }) {
      parts.push(new Uint8Array(buffer, byteOffset, byteLength));
      return isWhole ? new Uint8Array() : take();
    },
    async finish() {
      const samples = take();
      return isWhole ? Buffer.concat([...header(samples.byteLength), samples]) : samples;
    },
  };
}
