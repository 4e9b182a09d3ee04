/** Speech samples in each format of the interface; what a format needs is loaded with its first use. */

import type { SpeechFormat } from '../../../../shared/operations/speech/state.ts';
import { type WavShape, wavHeader } from '../../../../shared/wav.ts';
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

const shape: WavShape = { sampleRate: SPEECH_SAMPLE_RATE, channels: 1 };

function createWavEncoder(): SoundEncoder {
  let started = false;
  return {
    streams: true,
    encode: async (samples) => {
      if (started) return toBytes(samples);
      started = true;
      return Buffer.concat([wavHeader(shape, null), toBytes(samples)]);
    },
    finish: async () => new Uint8Array(),
    encodeAll: async (parts) => {
      const samples = parts.map(toBytes);
      const sizeBytes = samples.reduce((size, part) => size + part.byteLength, 0);
      return Buffer.concat([wavHeader(shape, sizeBytes), ...samples]);
    },
  };
}

function toBytes(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}
