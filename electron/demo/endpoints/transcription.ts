/** `POST /v1/audio/transcriptions`: says what it received, timed over the length of the audio. */
import { assertNever } from '../../../shared/assert-never.ts';
import {
  readTranscriptionForm,
  transcriptionFormSchema,
} from '../../../shared/operations/transcription-request.ts';
import { checkRequest } from '../http/check-request.ts';
import { type DemoExchange, sendJson, sendText } from '../http/exchange.ts';
import { invalidRequest, modelNotFound } from '../http/failure.ts';
import { readForm } from '../http/read-body.ts';
import { type TimedText, timeSentences, toSubtitles } from '../media/timed-text.ts';
import { wavDurationSeconds } from '../media/wav.ts';
import { transcriptionModels } from '../models.ts';

/** For compressed audio, whose length this gateway does not read: 128 kbit/s. */
const GUESSED_BYTES_PER_SECOND = 16_000;

export async function answerTranscription(exchange: DemoExchange): Promise<void> {
  const form = await readForm(exchange.request);
  const texts: [string, string][] = [];
  for (const [name, value] of form) if (typeof value === 'string') texts.push([name, value]);
  const asked = checkRequest(transcriptionFormSchema, readTranscriptionForm(texts));
  if (!transcriptionModels.includes(asked.model)) {
    throw modelNotFound(asked.model, transcriptionModels);
  }
  const file = form.get('file');
  if (file === null || typeof file === 'string') {
    throw invalidRequest('file: Send an audio file.', 'file');
  }
  if (file.size === 0) throw invalidRequest('file: The audio file is empty.', 'file');
  const bytes = Buffer.from(await file.arrayBuffer());
  const measured = wavDurationSeconds(bytes);
  const durationSeconds = measured ?? bytes.length / GUESSED_BYTES_PER_SECOND;
  const length = `${measured === null ? 'about ' : ''}${durationSeconds.toFixed(1)} seconds`;
  const sentences = [
    'This is a simulated transcription.',
    `The file ${file.name} has ${bytes.length.toLocaleString('en-US')} bytes and plays for ${length}.`,
    'A real model would write down what was said.',
  ];
  const segments = timeSentences(sentences, durationSeconds);
  await exchange.state.pace.wait(600, exchange.signal);
  reply(exchange, asked.response_format ?? 'json', {
    text: sentences.join(' '),
    language: asked.language ?? 'en',
    durationSeconds,
    segments,
    granularities: asked.timestamp_granularities ?? ['segment'],
  });
}

interface Transcript {
  text: string;
  language: string;
  durationSeconds: number;
  segments: TimedText[];
  granularities: ('word' | 'segment')[];
}

function reply(
  { response }: DemoExchange,
  format: 'json' | 'text' | 'srt' | 'verbose_json' | 'vtt',
  { text, language, durationSeconds, segments, granularities }: Transcript,
): void {
  switch (format) {
    case 'json':
      sendJson(response, 200, { text });
      break;
    case 'text':
      sendText(response, 'text/plain', `${text}\n`);
      break;
    case 'srt':
      sendText(response, 'application/x-subrip', toSubtitles(segments, 'srt'));
      break;
    case 'vtt':
      sendText(response, 'text/vtt', toSubtitles(segments, 'vtt'));
      break;
    case 'verbose_json':
      sendJson(response, 200, {
        task: 'transcribe',
        language,
        duration: durationSeconds,
        text,
        ...(granularities.includes('segment') && {
          segments: segments.map(({ words: _words, ...segment }, id) => ({ id, ...segment })),
        }),
        ...(granularities.includes('word') && {
          words: segments.flatMap(({ words }) =>
            words.map(({ text: word, start, end }) => ({ word, start, end })),
          ),
        }),
      });
      break;
    default:
      assertNever(format);
  }
}
