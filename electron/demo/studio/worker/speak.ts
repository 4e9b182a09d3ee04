/** Speaks a text passage by passage, in the requested format. */
import { createSoundEncoder } from './encode-sound.ts';
import { type Flite, loadFlite } from './flite.ts';
import { synthesizeTone } from './hum.ts';
import type { SpeechPart, SpeechPlan } from './jobs.ts';
import { splitPassages, toEnglishLetters } from './passages.ts';
import { applyPhoneFilter } from './phone-line.ts';
import { SPEECH_SAMPLE_RATE } from './sound-encoder.ts';
import { findVoice } from './voices.ts';

let loading: Promise<Flite> | null = null;
/** Loaded once something is to be spoken: that takes as long as a short sentence. */
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
  const encoder = await createSoundEncoder(format);
  const voiced = async (passage: string) => {
    const samples = await say(passage, voice, speed);
    return line === 'phone' ? applyPhoneFilter(samples) : samples;
  };
  // Where everything fits one passage or two, the length is known before the first byte.
  if (passages.length <= 2 || !encoder.streams) {
    const samples: Int16Array[] = [];
    for (const passage of passages) samples.push(await voiced(passage));
    yield await toPart(encoder.encodeAll(samples), samples);
    return;
  }
  for (const passage of passages) {
    const samples = await voiced(passage);
    yield await toPart(encoder.encode(samples), [samples]);
  }
  yield await toPart(encoder.finish(), []);
}

async function toPart(bytes: Promise<Uint8Array>, samples: Int16Array[]): Promise<SpeechPart> {
  const count = samples.reduce((sum, { length }) => sum + length, 0);
  return { bytes: await bytes, seconds: count / SPEECH_SAMPLE_RATE };
}

/** A script the synthesizer cannot read is hummed, a tone a word. */
async function say(passage: string, voiceName: string, speed: number): Promise<Int16Array> {
  const letters = toEnglishLetters(passage);
  const voice = findVoice(voiceName);
  if (letters === null) return synthesizeTone(passage, voice, speed);
  const { samples, sampleRate } = await flite(letters, voice.base, voice.shift / speed);
  return resample(samples, sampleRate * voice.shift, SPEECH_SAMPLE_RATE);
}

/** Changes the number of samples a second, along a curve through four neighbors (Catmull-Rom). */
function resample(samples: Int16Array, from: number, to: number): Int16Array {
  const step = from / to;
  const count = Math.floor(samples.length / step);
  const at = (index: number) => samples[Math.min(samples.length - 1, Math.max(0, index))] ?? 0;
  return Int16Array.from({ length: count }, (_, index) => {
    const place = index * step;
    const before = Math.floor(place);
    const part = place - before;
    const [first, second, third, fourth] = [
      at(before - 1),
      at(before),
      at(before + 1),
      at(before + 2),
    ];
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
