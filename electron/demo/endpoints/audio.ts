/**
 * Implements `POST /v1/audio/speech` in every API format, and `/v1/audio/transcriptions`.
 * Transcription returns the spoken text of demo audio, or a sample text.
 */
import type { z } from 'zod';
import { assertNever } from '../../../shared/assert-never.ts';
import { getNumber } from '../../../shared/exact-number.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { getSpeechRequestSchema } from '../../../shared/operations/speech/request.ts';
import type { SpeechFormat } from '../../../shared/operations/speech/speech.ts';
import { getTranscriptionRequestSchema } from '../../../shared/operations/transcription/request.ts';
import { type DemoExchange, openEventStream, sendAudio, sendJson, sendText } from '../exchange.ts';
import { createSeededRandom } from '../language/random.ts';
import { inspectFile } from '../media/inspect-media.ts';
import {
  type ReceivedAudio,
  type TimedText,
  timeSpokenText,
  toSubtitles,
  writeTranscript,
} from '../media/transcript.ts';
import { type SlipCounts, simulateTranscriptionErrors } from '../media/transcription-errors.ts';
import { findTranscriptionModel, speechModels, transcriptionModels } from '../models.ts';
import { type ReceivedFile, readForm } from '../multipart.ts';
import {
  checkRequest,
  createInvalidRequest,
  findModel,
  readHonestly,
  readJsonObject,
} from '../requests.ts';
import { runJob } from '../studio/studio.ts';

const CONTENT_TYPES: Record<SpeechFormat, string> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm; rate=24000',
};

export async function answerSpeech(exchange: DemoExchange): Promise<void> {
  const { request, state, signal } = exchange;
  const body = checkRequest(getSpeechRequestSchema(), await readJsonObject(request));
  const { line, delayMs, timesRealTime } = findModel(speechModels, body.model);
  const { input: text, voice = 'alloy', response_format: format = 'mp3' } = body;
  const speed = getNumber(body.speed) ?? 1;
  await state.pace.wait(delayMs, signal);
  const parts = runJob({ kind: 'speech', plan: { text, voice, speed, format, line } }, signal);
  const heard = state.spoken.listen(parts, text);
  await sendAudio(exchange, CONTENT_TYPES[format], heard, timesRealTime);
}

export const textFieldsSchema = getTranscriptionRequestSchema().omit({ file: true });
type TextFields = z.infer<typeof textFieldsSchema>;

export async function answerTranscription(exchange: DemoExchange): Promise<void> {
  const form = await readForm(exchange.request, ['file']);
  try {
    const fields = checkRequest(
      textFieldsSchema,
      readHonestly(readTextFields(form.fields), exchange.request),
    );
    const { id, errorRate, delayMs } = findModel(
      transcriptionModels,
      fields.model,
      findTranscriptionModel,
    );
    const file = checkFile(form.files[0]);
    const recording = await readRecording(file, exchange.signal);
    await exchange.state.pace.wait(delayMs, exchange.signal);
    const spoken = await exchange.state.spoken.recognize(file);
    const exact =
      spoken === null
        ? writeTranscript(recording, fields.prompt ?? '')
        : timeSpokenText(spoken, recording.durationSeconds);
    if (errorRate === null) {
      return await sendTranscript(exchange, fields, recording, { segments: exact });
    }
    const seed = form.fields.find(([name]) => name === 'seed')?.[1] ?? '';
    const random = createSeededRandom(id, seed, getText(exact));
    await sendTranscript(
      exchange,
      fields,
      recording,
      simulateTranscriptionErrors(exact, errorRate, random),
    );
  } finally {
    await form.dispose();
  }
}

/** Parses numbers and booleans; accepts `timestamp_granularities` with and without `[]`. */
export function readTextFields(fields: Iterable<[string, string]>): JsonObject {
  const request: JsonObject = {};
  const granularities: string[] = [];
  for (const [name, value] of fields) {
    if (name === 'timestamp_granularities' || name === 'timestamp_granularities[]') {
      granularities.push(value);
    } else if (name === 'temperature' && value.trim() !== '' && Number.isFinite(Number(value))) {
      request[name] = Number(value);
    } else if (name === 'stream') {
      request[name] = value === 'true' || (value === 'false' ? false : value);
    } else request[name] = value;
  }
  if (granularities.length > 0) request.timestamp_granularities = granularities;
  return request;
}

function checkFile(file: ReceivedFile | undefined): ReceivedFile {
  if (file === undefined) throw createInvalidRequest('file: Send an audio file.', 'file');
  if (file.sizeBytes === 0) throw createInvalidRequest('file: The audio file is empty.', 'file');
  return file;
}

async function readRecording(
  { name, path, sizeBytes }: ReceivedFile,
  signal: AbortSignal,
): Promise<ReceivedAudio> {
  const { kind, type, measured } = await inspectFile(path, null, signal);
  if (kind !== 'audio' && kind !== 'video') {
    throw createInvalidRequest(
      `file: This is not an audio file (${type}).`,
      'file',
      'unsupported_format',
    );
  }
  const { durationSeconds = null, channels = null } = measured ?? {};
  if (durationSeconds === null || durationSeconds <= 0 || channels === null) {
    throw createInvalidRequest(
      `file: No audio could be read from this ${type} file. It may be damaged or empty.`,
      'file',
      'invalid_audio',
    );
  }
  return { name, type, sizeBytes, durationSeconds };
}

function getText(segments: readonly TimedText[]): string {
  return segments.map(({ text }) => text).join(' ');
}

/** The delay in milliseconds between streamed words. */
const WORD_PACE_MS = 40;

async function streamTranscript(
  exchange: DemoExchange,
  isDiarized: boolean,
  segments: readonly TimedText[],
): Promise<void> {
  const stream = openEventStream(exchange);
  for (const [index, segment] of segments.entries()) {
    for (const { text } of segment.words) {
      await stream.send([{ type: 'transcript.text.delta', delta: `${text} ` }]);
      await stream.wait(WORD_PACE_MS);
    }
    if (isDiarized) await stream.send([addSpeaker(segment, index)]);
  }
  await stream.send([{ type: 'transcript.text.done', text: getText(segments) }]);
  stream.finish();
}

const SPEAKERS = ['A', 'B'];

/** Assigns words to two simulated speakers, who take turns. */
function addSpeaker({ start, end, text }: TimedText, index: number): JsonObject {
  const id = `seg_${String(index + 1).padStart(3, '0')}`;
  const speaker = SPEAKERS[index % SPEAKERS.length] ?? '';
  return { type: 'transcript.text.segment', id, start, end, text, speaker };
}

async function sendTranscript(
  exchange: DemoExchange,
  fields: TextFields,
  { durationSeconds }: ReceivedAudio,
  { segments, counts }: { segments: readonly TimedText[]; counts?: SlipCounts },
): Promise<void> {
  const { response } = exchange;
  if (fields.stream === true) {
    return streamTranscript(exchange, fields.response_format === 'diarized_json', segments);
  }
  const { response_format: format = 'json', timestamp_granularities: granularities = ['segment'] } =
    fields;
  const text = getText(segments);
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
        language: fields.language ?? 'en',
        duration: durationSeconds,
        text,
        ...(granularities.includes('segment') && {
          segments: segments.map(({ words: _words, ...segment }, id) => ({
            id,
            ...segment,
            temperature: fields.temperature ?? 0,
          })),
        }),
        ...(granularities.includes('word') && {
          words: segments.flatMap(({ words }) =>
            words.map(({ text: word, start, end }) => ({ word, start, end })),
          ),
        }),
        ...(counts !== undefined && { simulated_errors: counts }),
      });
      break;
    case 'diarized_json':
      sendJson(response, 200, {
        task: 'transcribe',
        duration: durationSeconds,
        text,
        segments: segments.map(addSpeaker),
        usage: { type: 'duration', seconds: Math.ceil(durationSeconds) },
      });
      break;
    default:
      assertNever(format);
  }
}
