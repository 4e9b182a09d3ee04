/** 16-bit mono WAV. */

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;
const UNKNOWN_SIZE = 0xffffffff;

export function encodeWav(pcm: Buffer, sampleRate: number): Buffer {
  return Buffer.concat([wavHeader(pcm.length, sampleRate), pcm]);
}

/** `sizeBytes` null where the end is not known yet: both sizes are then at their maximum. */
export function wavHeader(sizeBytes: number | null, sampleRate: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(sizeBytes === null ? UNKNOWN_SIZE : HEADER_BYTES - 8 + sizeBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(sizeBytes ?? UNKNOWN_SIZE, 40);
  return header;
}
