/** Audible stand-in for words that cannot be read: a short tone for each, its pitch by voice and word. */
import { hash } from '../../language/random.ts';
import type { Voice } from './voices.ts';

const SAMPLE_RATE = 24_000;
const PITCHES: Record<Voice['base'], number> = { slt: 220, rms: 120, awb: 150 };
/** Steps of a pentatonic scale, so that any order of words sounds like a tune. */
const SCALE = [1, 9 / 8, 5 / 4, 3 / 2, 5 / 3];
const LOUDNESS = 0.25;
/** Scripts without spaces are hummed by the character. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{M}\p{N}]+|[.!?…。！？]+/gu;

export function synthesizeTone(text: string, { base, shift }: Voice, speed: number): Int16Array {
  const words = text.match(WORD) ?? ['.'];
  const tones = words.map((word) => wordTone(word, PITCHES[base] * shift, speed));
  const samples = new Int16Array(tones.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const tone of tones) {
    samples.set(tone, at);
    at += tone.length;
  }
  return samples;
}

function wordTone(word: string, base: number, speed: number): Int16Array {
  const isPause = /^[.!?…。！？]/.test(word);
  const durationSeconds = (isPause ? 0.25 : 0.12 + Math.min(word.length, 12) * 0.02) / speed;
  const samples = new Int16Array(Math.round(durationSeconds * SAMPLE_RATE));
  if (isPause) return samples;
  const pitch = base * (SCALE[hash(word.toLowerCase()) % SCALE.length] ?? 1);
  return samples.map((_, index) => {
    const phase = (2 * Math.PI * pitch * index) / SAMPLE_RATE;
    // Fades in and out within the word, so that no click is heard between words.
    const fade = Math.sin((Math.PI * index) / samples.length);
    return Math.round(fade * LOUDNESS * (Math.sin(phase) + 0.4 * Math.sin(2 * phase)) * 32_767);
  });
}
