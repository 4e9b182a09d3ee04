/** A simulated transcript: states that it is one and fills the recording at the pace of speech. */
import { shorten } from '../language/answer.ts';
import { type TimedText, timeSentences } from './timed-text.ts';

const SECONDS_PER_SENTENCE = 6;
const MOST_SENTENCES = 5000;

export interface ReceivedAudio {
  name: string;
  type: string;
  sizeBytes: number;
  durationSeconds: number;
}

/** Sentences of a few seconds each, to the recording's very end. */
export function writeTranscript(recording: ReceivedAudio, prompt: string): TimedText[] {
  const { name, type, sizeBytes, durationSeconds } = recording;
  const file = shorten(name, 80);
  const length = `${durationSeconds.toFixed(1)} seconds`;
  if (durationSeconds < SECONDS_PER_SENTENCE) {
    return timeSentences([`Simulated transcription of ${file}, ${length}.`], durationSeconds);
  }
  const count = Math.min(MOST_SENTENCES, Math.round(durationSeconds / SECONDS_PER_SENTENCE));
  const facts = [
    `This is a simulated transcription of ${file}, and nobody listened to it.`,
    `The file is ${type}, has ${sizeBytes.toLocaleString('en-US')} bytes and plays for ${length}.`,
    ...(prompt === '' ? [] : [`The prompt that came with it was “${shorten(prompt, 80)}”.`]),
    'A real model would write every spoken word here.',
  ];
  const sentences = Array.from({ length: count }, (_, index) => {
    const at = Math.round((index / count) * durationSeconds);
    const clock = `${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`;
    return (
      facts[index] ?? `The recording goes on at ${clock}, with words that only a real model knows.`
    );
  });
  return timeSentences(sentences, durationSeconds);
}
