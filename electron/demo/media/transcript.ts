/** Creates simulated transcripts, timed at the pace of speech, and subtitles. */
import { shorten } from '../language/answer.ts';

const SECONDS_PER_SENTENCE = 6;
const MAX_SENTENCES = 5000;

export interface ReceivedAudio {
  name: string;
  type: string;
  sizeBytes: number;
  durationSeconds: number;
}

export function writeTranscript(recording: ReceivedAudio, prompt: string): TimedText[] {
  const { name, type, sizeBytes, durationSeconds } = recording;
  const file = shorten(name, 80);
  const length = `${durationSeconds.toFixed(1)} seconds`;
  if (durationSeconds < SECONDS_PER_SENTENCE) {
    return timeSentences([`Simulated transcription of ${file}, ${length}.`], durationSeconds);
  }
  const count = Math.min(MAX_SENTENCES, Math.round(durationSeconds / SECONDS_PER_SENTENCE));
  const facts = [
    `This is a simulated transcription of ${file}; no model listened to it.`,
    `The file is ${type}, ${sizeBytes.toLocaleString('en-US')} bytes, ${length}.`,
    ...(prompt === '' ? [] : [`The prompt was “${shorten(prompt, 80)}”.`]),
    'A real model would write every spoken word here.',
  ];
  const sentences = Array.from({ length: count }, (_, index) => {
    const at = Math.round((index / count) * durationSeconds);
    const clock = `${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`;
    return (
      facts[index] ??
      `The recording continues at ${clock}, with words that only a real model can hear.`
    );
  });
  return timeSentences(sentences, durationSeconds);
}

export function timeSpokenText(text: string, durationSeconds: number): TimedText[] {
  const sentences = text.trim().split(/(?<=[.!?…。！？]["”’)]*)\s+/u);
  return timeSentences(
    sentences.map((sentence) => sentence.replace(/\s+/g, ' ')),
    durationSeconds,
  );
}

export interface TimedWord {
  text: string;
  start: number;
  end: number;
}

export interface TimedText extends TimedWord {
  words: TimedWord[];
}

/** Gives each word a duration in proportion to its number of letters. */
function timeSentences(sentences: readonly string[], durationSeconds: number): TimedText[] {
  const letters = sentences.join('').replace(/\s/g, '').length;
  const secondsPerLetter = durationSeconds / Math.max(1, letters);
  let passed = 0;
  return sentences.map((text) => {
    const words = text.split(' ').map((word) => {
      const start = toMilliseconds(passed * secondsPerLetter);
      passed += word.length;
      return { text: word, start, end: toMilliseconds(passed * secondsPerLetter) };
    });
    return { text, start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0, words };
  });
}

export function toSubtitles(segments: readonly TimedText[], format: 'srt' | 'vtt'): string {
  const separator = format === 'srt' ? ',' : '.';
  const cues = segments.map(({ text, start, end }, index) => {
    const times = `${formatClock(start, separator)} --> ${formatClock(end, separator)}`;
    return `${format === 'srt' ? `${index + 1}\n` : ''}${times}\n${text}\n`;
  });
  return (format === 'vtt' ? ['WEBVTT\n', ...cues] : cues).join('\n');
}

function formatClock(seconds: number, separator: string): string {
  const total = Math.round(seconds * 1000);
  const pad = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, '0');
  const hours = pad(total / 3_600_000);
  const minutes = pad((total / 60_000) % 60);
  return `${hours}:${minutes}:${pad((total / 1000) % 60)}${separator}${pad(total % 1000, 3)}`;
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
