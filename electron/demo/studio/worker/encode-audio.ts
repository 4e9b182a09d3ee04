/** Defines the interface of all speech encoders, and the PCM and WAV encoder. */
import { createWavHeader, type WavShape } from '../../../../shared/wav.ts';

/** The sample rate of all formats, which are mono; the API requires it for headerless PCM. */
export const SPEECH_SAMPLE_RATE = 24_000;

const shape: WavShape = { sampleRate: SPEECH_SAMPLE_RATE, channels: 1 };

export interface SpeechEncoder {
  /** Returns the bytes that are ready, if any. */
  encode(samples: Int16Array): Promise<Uint8Array>;
  /** Returns the remaining bytes. */
  finish(): Promise<Uint8Array>;
}

/** `isWhole` holds back all bytes until `finish`, so that the header can include the duration. */
export function createPcmEncoder(format: 'pcm' | 'wav', isWhole: boolean): SpeechEncoder {
  const header = (sizeBytes: number | null) =>
    format === 'wav' ? [createWavHeader(shape, sizeBytes)] : [];
  const parts: Uint8Array[] = isWhole ? [] : header(null);
  const take = () => Buffer.concat(parts.splice(0));
  return {
    async encode({ buffer, byteOffset, byteLength }: Int16Array): Promise<Uint8Array> {
      parts.push(new Uint8Array(buffer, byteOffset, byteLength));
      return isWhole ? new Uint8Array() : take();
    },
    async finish(): Promise<Uint8Array> {
      const samples = take();
      return isWhole ? Buffer.concat([...header(samples.byteLength), samples]) : samples;
    },
  };
}
