/** Implements `POST /v1/audio/speech` in every format of the API. */
import { getNumber } from '../../../shared/exact-number.ts';
import { speechRequestSchema } from '../../../shared/operations/speech/request.ts';
import type { SpeechFormat } from '../../../shared/operations/speech/speech.ts';
import { type DemoExchange, sendAudio } from '../exchange.ts';
import { speechModels } from '../models.ts';
import { checkRequest, findModel, readJsonObject } from '../requests.ts';
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
  const body = checkRequest(speechRequestSchema, await readJsonObject(request));
  const { line, delayMs, timesRealTime } = findModel(speechModels, body.model);
  const { input: text, voice = 'alloy', response_format: format = 'mp3' } = body;
  const speed = getNumber(body.speed) ?? 1;
  await state.pace.wait(delayMs, signal);
  const parts = runJob({ kind: 'speech', plan: { text, voice, speed, format, line } }, signal);
  const heard = state.spoken.listen(parts, text);
  await sendAudio(exchange, CONTENT_TYPES[format], heard, timesRealTime);
}
