/** Speech samples in each format of the interface; what a format needs is loaded with its first use. */
import { encodeWav, wavHeader } from '../../media/wav.ts';
import type { SpeechFormat } from './jobs.ts';
import { type SoundEncoder, SPEECH_SAMPLE_RATE } from './sound-encoder.ts';

export async function createSoundEncoder(format: SpeechFormat): Promise<SoundEncoder> {
  if (format === 'pcm') {
    return {
      streams: true,
      encode: async (samples) => toBytes(samples),
      finish: async () => new Uint8Array(),
      encodeAll: async (parts) => Buffer.concat(parts.map(toBytes)),
    };
  }
  if (format === 'wav') return createWavEncoder();
  const { createCodecEncoder } = await import('./encode-codec.ts');
  return createCodecEncoder(format);
}

function createWavEncoder(): SoundEncoder {
  let started = false;
  return {
    streams: true,
    encode: async (samples) => {
      if (started) return toBytes(samples);
      started = true;
      return Buffer.concat([wavHeader(null, SPEECH_SAMPLE_RATE), toBytes(samples)]);
    },
    finish: async () => new Uint8Array(),
    encodeAll: async (parts) => encodeWav(Buffer.concat(parts.map(toBytes)), SPEECH_SAMPLE_RATE),
  };
}

function toBytes(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}
