/** Writes WAV headers for 16-bit samples that the page records or the demo gateway generates. */

/** Samples are interleaved 16-bit integers. */
export interface WavShape {
  sampleRate: number;
  channels: number;
}

export const WAV_HEADER_BYTES = 44;

/** The length to declare in the header of streamed WAV audio. */
const OPEN_LENGTH = 0xffff_ffff;

export function createWavHeader(
  { sampleRate, channels }: WavShape,
  dataBytes: number | null,
): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(WAV_HEADER_BYTES);
  const view = new DataView(header.buffer);
  const text = (offset: number, letters: string) =>
    header.set(
      Array.from(letters, (letter) => letter.charCodeAt(0)),
      offset,
    );
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
