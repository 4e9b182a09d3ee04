/** Speaks text passage by passage in the requested format. */

import type { SpeechFormat } from '../../../../shared/operations/speech/speech.ts';
import { hash } from '../../language/random.ts';
import type { SpeechPart, SpeechPlan } from '../studio.ts';
import { createPcmEncoder, SPEECH_SAMPLE_RATE, type SpeechEncoder } from './encode-audio.ts';
import { type Flite, findVoice, loadFlite, type Voice } from './flite.ts';
import { splitPassages, toEnglishLetters } from './passages.ts';

let loading: Promise<Flite> | null = null;
/** Loaded on first use, because loading takes as long as a short sentence. */
const flite: Flite = async (...spoken) => {
  loading ??= loadFlite();
  return (await loading)(...spoken);
};

export async function* speak({
  text,
  voice,
  speed,
  format,
  line,
}: SpeechPlan): AsyncGenerator<SpeechPart> {
  const passages = splitPassages(text);
  // Short audio gets a header with its duration; FLAC always does, because seeking requires it.
  const isWhole = passages.length <= 2 || format === 'flac';
  const encoder = await createEncoder(format, isWhole);
  let heldSeconds = 0;
  for (const passage of passages) {
    const spoken = await say(passage, voice, speed);
    const samples = line === 'phone' ? applyPhoneFilter(spoken) : spoken;
    const bytes = await encoder.encode(samples);
    const seconds = samples.length / SPEECH_SAMPLE_RATE;
    if (isWhole) heldSeconds += seconds;
    else yield { bytes, seconds };
  }
  yield { bytes: await encoder.finish(), seconds: heldSeconds };
}

async function createEncoder(format: SpeechFormat, isWhole: boolean): Promise<SpeechEncoder> {
  if (format === 'pcm' || format === 'wav') return createPcmEncoder(format, isWhole);
  const { createCodecEncoder } = await import('./encode-codec.ts');
  return createCodecEncoder(format, isWhole);
}

/** Hums passages in scripts that the synthesizer can't read. */
async function say(passage: string, voiceName: string, speed: number): Promise<Int16Array> {
  const letters = toEnglishLetters(passage);
  const voice = findVoice(voiceName);
  if (letters === null) return synthesizeTone(passage, voice, speed);
  const { samples, sampleRate } = await flite(letters, voice.base, voice.shift / speed);
  return resample(samples, sampleRate * voice.shift, SPEECH_SAMPLE_RATE);
}

/** Resamples with Catmull-Rom interpolation. */
function resample(samples: Int16Array, from: number, to: number): Int16Array {
  const step = from / to;
  const count = Math.floor(samples.length / step);
  const at = (index: number) => samples[Math.min(samples.length - 1, Math.max(0, index))] ?? 0;
  return new Int16Array(count).map((_, index) => {
    const place = index * step;
    const before = Math.floor(place);
    const part = place - before;
    const first = at(before - 1);
    const second = at(before);
    const third = at(before + 1);
    const fourth = at(before + 2);
    const curve =
      second +
      0.5 *
        part *
        (third -
          first +
          part *
            (2 * first -
              5 * second +
              4 * third -
              fourth +
              part * (3 * (second - third) + fourth - first)));
    return Math.max(-32_768, Math.min(32_767, Math.round(curve)));
  });
}

const PITCHES: Record<Voice['base'], number> = { slt: 220, rms: 120, awb: 150 };
/** The notes of a pentatonic scale sound like a tune in any order. */
const SCALE = [1, 9 / 8, 5 / 4, 3 / 2, 5 / 3];
const HUM_LOUDNESS = 0.25;
/** Text in scripts without spaces is hummed by character. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{M}\p{N}]+|[.!?…。！？]+/gu;

function synthesizeTone(text: string, { base, shift }: Voice, speed: number): Int16Array {
  const words = text.match(WORD) ?? ['.'];
  const tones = words.map((word) => synthesizeWord(word, PITCHES[base] * shift, speed));
  const samples = new Int16Array(tones.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const tone of tones) {
    samples.set(tone, at);
    at += tone.length;
  }
  return samples;
}

function synthesizeWord(word: string, base: number, speed: number): Int16Array {
  const isPause = /^[.!?…。！？]/.test(word);
  const durationSeconds = (isPause ? 0.25 : 0.12 + Math.min(word.length, 12) * 0.02) / speed;
  const samples = new Int16Array(Math.round(durationSeconds * SPEECH_SAMPLE_RATE));
  if (isPause) return samples;
  const pitch = base * (SCALE[hash(word.toLowerCase()) % SCALE.length] ?? 1);
  return samples.map((_, index) => {
    const phase = (2 * Math.PI * pitch * index) / SPEECH_SAMPLE_RATE;
    // Fade each word in and out to prevent clicks.
    const fade = Math.sin((Math.PI * index) / samples.length);
    return Math.round(fade * HUM_LOUDNESS * (Math.sin(phase) + 0.4 * Math.sin(2 * phase)) * 32_767);
  });
}

const LOWEST_HZ = 300;
const HIGHEST_HZ = 3400;
const MU = 255;
/** The number of quantization steps for each sign. */
const STEPS = 127;
const PHONE_LOUDNESS = 0.8;

function applyPhoneFilter(samples: Int16Array): Int16Array {
  const filters = [
    createFilter('high', LOWEST_HZ),
    createFilter('low', HIGHEST_HZ),
    createFilter('low', HIGHEST_HZ),
  ];
  return samples.map((sample) => {
    const filtered = filters.reduce((value, filter) => filter(value), sample / 32_768);
    const clipped = Math.max(-1, Math.min(1, filtered));
    return Math.round(quantize(clipped) * PHONE_LOUDNESS * 32_767);
  });
}

/** Quantizes quiet samples finely and loud samples coarsely. */
function quantize(value: number): number {
  const companded = Math.log1p(MU * Math.abs(value)) / Math.log1p(MU);
  const step = Math.round(companded * STEPS) / STEPS;
  return (Math.sign(value) * Math.expm1(step * Math.log1p(MU))) / MU;
}

/** A 12 dB/octave filter from https://www.w3.org/TR/audio-eq-cookbook/. */
function createFilter(pass: 'high' | 'low', cornerHz: number): (value: number) => number {
  const turn = (2 * Math.PI * cornerHz) / SPEECH_SAMPLE_RATE;
  const cosine = Math.cos(turn);
  const width = Math.sin(turn) / Math.SQRT2;
  const sign = pass === 'high' ? 1 : -1;
  const outer = (1 + sign * cosine) / 2 / (1 + width);
  const middle = -sign * 2 * outer;
  const [firstBack, secondBack] = [(-2 * cosine) / (1 + width), (1 - width) / (1 + width)];
  let [in1, in2, out1, out2] = [0, 0, 0, 0];
  return (value) => {
    const result =
      outer * value + middle * in1 + outer * in2 - firstBack * out1 - secondBack * out2;
    [in1, in2, out1, out2] = [value, in1, result, out1];
    return result;
  };
}
