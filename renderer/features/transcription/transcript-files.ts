import type {
  TranscriptionState,
  TranscriptSegment,
} from '../../../shared/operations/transcription/state.ts';
import { getSpeakerName, type SpeakerNames } from './speakers.tsx';

export type TranscriptFormat = 'txt' | 'srt' | 'vtt' | 'json';

/** Offers only text and JSON if the transcript has no times, because subtitles need them. */
export function getFormats({ segments, words }: TranscriptionState): TranscriptFormat[] {
  return segments.length > 0 || words.length > 0 ? ['txt', 'srt', 'vtt', 'json'] : ['txt', 'json'];
}

/** Subtitles start with the speaker's name: `A: Hello.` */
export function writeTranscriptFile(
  state: TranscriptionState,
  format: TranscriptFormat,
  names: SpeakerNames = {},
): string {
  const cues = getCues(state, names);
  switch (format) {
    case 'txt':
      return `${state.text.trim()}\n`;
    case 'srt':
      return cues
        .map(({ start, end, text }, index) => {
          return `${index + 1}\n${formatClock(start, ',')} --> ${formatClock(end, ',')}\n${toCueText(text)}\n`;
        })
        .join('\n');
    case 'vtt':
      return `WEBVTT\n\n${cues
        .map(({ start, end, text }) => {
          return `${formatClock(start, '.')} --> ${formatClock(end, '.')}\n${escapeVtt(toCueText(text))}\n`;
        })
        .join('\n')}`;
    case 'json': {
      const { text, language, durationSeconds, segments, words } = state;
      return `${JSON.stringify({ text, language, duration: durationSeconds, segments, words }, null, 2)}\n`;
    }
  }
}

type Cue = Pick<TranscriptSegment, 'start' | 'end' | 'text'>;

/** Removes blank lines, because they would end the cue. */
function toCueText(text: string): string {
  return text.trim().replace(/\s*[\r\n]\s*/g, '\n');
}

/** Escapes text that WebVTT reserves: tags, character references and the arrow between times. */
function escapeVtt(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The approximate number of seconds of speech in each cue. */
const CUE_SECONDS = 4;

function getCues({ segments, words }: TranscriptionState, names: SpeakerNames): Cue[] {
  if (segments.length > 0) {
    return segments.map(({ start, end, text, speaker }) => {
      const prefix = speaker === undefined ? '' : `${getSpeakerName(speaker, names)}: `;
      return { start, end, text: prefix + text.trim() };
    });
  }
  const cues: Cue[] = [];
  for (const { word, start, end } of words) {
    const last = cues.at(-1);
    if (last && end - last.start <= CUE_SECONDS) {
      last.text += /^\s/.test(word) ? word : ` ${word}`;
      last.end = end;
    } else cues.push({ start, end, text: word.trim() });
  }
  return cues;
}

/** Returns a time such as `01:02:03,456`. */
function formatClock(seconds: number, decimal: ',' | '.'): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const part = (value: number, digits: number) => String(value).padStart(digits, '0');
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const rest = Math.floor(ms / 1000) % 60;
  return `${part(hours, 2)}:${part(minutes, 2)}:${part(rest, 2)}${decimal}${part(ms % 1000, 3)}`;
}
