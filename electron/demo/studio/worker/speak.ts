/** Speaks a text passage by passage, in the requested format. */
import { createSoundEncoder } from './encode-sound.ts';
import { type Flite, loadFlite } from './flite.ts';
import { hum } from './hum.ts';
import type { SpeechPart, SpeechPlan } from './jobs.ts';
import { splitPassages, toEnglishLetters } from './passages.ts';
import { resample } from './resample.ts';
import { SPEECH_SAMPLE_RATE } from './sound-encoder.ts';
import { findVoice } from './voices.ts';

export async function* speak({
  text,
  voice,
  speed,
  format,
}: SpeechPlan): AsyncGenerator<SpeechPart> {
  const passages = splitPassages(text);
  const encoder = await createSoundEncoder(format);
  const flite = await loadFlite();
  // Where everything fits one passage or two, the length is known before the first byte.
  if (passages.length <= 2 || !encoder.streams) {
    const samples: Int16Array[] = [];
    for (const passage of passages) samples.push(await say(flite, passage, voice, speed));
    yield await toPart(encoder.encodeAll(samples), samples);
    return;
  }
  for (const passage of passages) {
    const samples = await say(flite, passage, voice, speed);
    yield await toPart(encoder.encode(samples), [samples]);
  }
  yield await toPart(encoder.finish(), []);
}

async function toPart(bytes: Promise<Uint8Array>, samples: Int16Array[]): Promise<SpeechPart> {
  const count = samples.reduce((sum, { length }) => sum + length, 0);
  return { bytes: await bytes, seconds: count / SPEECH_SAMPLE_RATE };
}

/** A script the synthesiser cannot read is hummed, a tone a word. */
async function say(
  flite: Flite,
  passage: string,
  voiceName: string,
  speed: number,
): Promise<Int16Array> {
  const letters = toEnglishLetters(passage);
  const voice = findVoice(voiceName);
  if (letters === null) return hum(passage, voice, speed);
  const { samples, sampleRate } = await flite(letters, voice.base, voice.shift / speed);
  return resample(samples, sampleRate * voice.shift, SPEECH_SAMPLE_RATE);
}
