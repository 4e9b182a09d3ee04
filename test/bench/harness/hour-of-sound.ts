import { closeSync, openSync, writeSync } from 'node:fs';
import { createCodecEncoder } from '../../../electron/demo/studio/worker/encode-codec.ts';
import { wav } from '../../fixtures/sounds.ts';

const SLICE_SECONDS = 10;
const SLICES = 360;
const MP3_RATE = 24_000;
const WAV_RATE = 44_100;

/** Writes an hour of audio that swells every ten seconds: 317 MB of WAV, or 29 MB of MP3. */
export async function writeHour(path: string, format: 'wav' | 'mp3'): Promise<void> {
  const file = openSync(path, 'w');
  if (format === 'wav') {
    const slice = Buffer.from(swelling(WAV_RATE).buffer);
    const claimedBytes = slice.length * SLICES;
    writeSync(file, wav({ seconds: 0, sampleRate: WAV_RATE, claimedBytes }));
    for (let at = 0; at < SLICES; at += 1) writeSync(file, slice);
  } else {
    const encoder = await createCodecEncoder('mp3', false);
    const parts = [await encoder.encode(swelling(MP3_RATE)), await encoder.finish()];
    // MP3 frames are independent.
    for (let at = 0; at < SLICES; at += 1) for (const part of parts) writeSync(file, part);
  }
  closeSync(file);
}

function swelling(sampleRate: number): Int16Array {
  const length = SLICE_SECONDS * sampleRate;
  return Int16Array.from({ length }, (_, at) => {
    const loudness = 30_000 * Math.sin((Math.PI * at) / length);
    return Math.round(loudness * Math.sin((2 * Math.PI * 440 * at) / sampleRate));
  });
}
