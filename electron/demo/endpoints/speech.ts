/** `POST /v1/audio/speech`: hums the text, a tone a word, as WAV or raw PCM. */
import { speechRequestSchema } from '../../../shared/operations/speech-request.ts';
import { asJsonObject, checkRequest } from '../http/check-request.ts';
import { type DemoExchange, sendBytes } from '../http/exchange.ts';
import { invalidRequest, modelNotFound } from '../http/failure.ts';
import { readJson } from '../http/read-body.ts';
import { hum, SAMPLE_RATE } from '../media/hum.ts';
import { encodeWav } from '../media/wav.ts';
import { speechModels } from '../models.ts';

export async function answerSpeech({
  request,
  response,
  state,
  signal,
}: DemoExchange): Promise<void> {
  const asked = checkRequest(speechRequestSchema, asJsonObject(await readJson(request)));
  if (!speechModels.includes(asked.model)) throw modelNotFound(asked.model, speechModels);
  const format = asked.response_format ?? 'wav';
  if (format !== 'wav' && format !== 'pcm') {
    throw invalidRequest(
      `response_format: demo-speech makes wav and pcm, not ${format}.`,
      'response_format',
      'unsupported_format',
    );
  }
  const pcm = hum(asked.input, asked.voice ?? 'alloy', asked.speed ?? 1);
  await state.pace.wait(300, signal);
  if (format === 'pcm') sendBytes(response, 200, `audio/pcm; rate=${SAMPLE_RATE}`, pcm);
  else sendBytes(response, 200, 'audio/wav', encodeWav(pcm, SAMPLE_RATE));
}
