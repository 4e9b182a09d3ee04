import { type WavShape, wavHeader } from '../../../shared/wav.ts';

/** Raw 16-bit samples as a file that every player takes. */
export function wavBlob(samples: Blob | Uint8Array<ArrayBuffer>, shape: WavShape): Blob {
  const sizeBytes = samples instanceof Blob ? samples.size : samples.byteLength;
  return new Blob([wavHeader(shape, sizeBytes), samples], { type: 'audio/wav' });
}

/** -1 to 1 as 16-bit integers; louder is clipped. */
export function toInt16(sample: number): number {
  const clipped = Math.max(-1, Math.min(1, sample));
  return Math.round(clipped < 0 ? clipped * 32_768 : clipped * 32_767);
}
