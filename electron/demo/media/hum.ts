/** Audible stand-in for a voice: a short tone for each word, its pitch from voice and word. */
import { hash } from '../language/random.ts';

export const SAMPLE_RATE = 24_000;

/** The named voices' base pitch in hertz; others get one from their name. */
const PITCHES: Record<string, number> = {
  alloy: 220,
  echo: 147,
  fable: 262,
  onyx: 110,
  nova: 294,
  shimmer: 330,
};
/** Steps of a pentatonic scale, so that any order of words sounds like a tune. */
const SCALE = [1, 9 / 8, 5 / 4, 3 / 2, 5 / 3];
const LOUDNESS = 0.25;

/** 16-bit little-endian mono samples at `SAMPLE_RATE`. */
export function hum(text: string, voice: string, speed: number): Buffer {
  const words = text.match(/[\p{L}\p{M}\p{N}]+|[.!?…]+/gu) ?? ['.'];
  const base = PITCHES[voice] ?? 130 + (hash(voice) % 200);
  return Buffer.concat(words.map((word) => wordTone(word, base, speed)));
}

function wordTone(word: string, base: number, speed: number): Buffer {
  const isPause = /^[.!?…]/.test(word);
  const durationSeconds = (isPause ? 0.25 : 0.12 + Math.min(word.length, 12) * 0.02) / speed;
  const count = Math.round(durationSeconds * SAMPLE_RATE);
  const samples = Buffer.alloc(count * 2);
  if (isPause) return samples;
  const pitch = base * (SCALE[hash(word.toLowerCase()) % SCALE.length] ?? 1);
  for (let index = 0; index < count; index += 1) {
    const phase = (2 * Math.PI * pitch * index) / SAMPLE_RATE;
    // Fades in and out within the word, so that no click is heard between words.
    const fade = Math.sin((Math.PI * index) / count);
    const level = fade * LOUDNESS * (Math.sin(phase) + 0.4 * Math.sin(2 * phase));
    samples.writeInt16LE(Math.round(level * 32_767), index * 2);
  }
  return samples;
}
