/** 16-bit samples, interleaved. */
export interface WavShape {
  sampleRate: number;
  channels: number;
}

export const WAV_HEADER_BYTES = 44;

/** What streamed WAV says where its length is not known yet. */
const OPEN_LENGTH = 0xffff_ffff;

/** `dataBytes` is null where the length is not known yet. */
export function wavHeader(
  { sampleRate, channels }: WavShape,
  dataBytes: number | null,
): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(WAV_HEADER_BYTES);
  const view = new DataView(header.buffer);
  const text = (offset: number, letters: string) =>
    header.set(new TextEncoder().encode(letters), offset);
  text(0, 'RIFF');
  view.setUint32(4, dataBytes === null ? OPEN_LENGTH : dataBytes + WAV_HEADER_BYTES - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, dataBytes ?? OPEN_LENGTH, true);
  return header;
}

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
