/** 16-bit mono WAV: writing a header, and reading how long a file plays. */

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

export function encodeWav(pcm: Buffer, sampleRate: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + pcm.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([header, pcm]);
}

/** Null where the bytes are not a WAV file. */
export function wavDurationSeconds(bytes: Buffer): number | null {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') {
    return null;
  }
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const sizeBytes = bytes.readUInt32LE(at + 4);
    if (name === 'fmt ' && at + 20 <= bytes.length) bytesPerSecond = bytes.readUInt32LE(at + 16);
    if (name === 'data' && bytesPerSecond > 0) {
      // Recorders that stream leave the size at its maximum; what is there is what plays.
      return Math.min(sizeBytes, bytes.length - at - 8) / bytesPerSecond;
    }
    at += 8 + sizeBytes + (sizeBytes % 2);
  }
  return null;
}
