/** Text to speech: the sound goes into a medium as it comes. */
import { speechOperation } from '../../shared/operations/speech/speech.ts';
import type { RunResult } from '../runs/ending.ts';
import type { RunContext } from '../runs/run-context.ts';
import { toHttp } from './execute-json.ts';
import { harvestSpeech } from './harvest-speech.ts';

export function executeSpeech(context: RunContext): Promise<RunResult> {
  const { method, path, body } = toHttp(speechOperation, context.input);
  // Raw samples have no mark of their own, and gateways declare all sound as audio/mpeg.
  const unmarkedType = body.response_format === 'pcm' ? 'audio/pcm' : null;
  return context.send({
    method,
    path,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify(body),
    accepts: 'bytes',
    wanted: 'audio',
    stem: 'speech',
    harvest: harvestSpeech(unmarkedType),
    ...(unmarkedType === null ? {} : { unmarkedType }),
  });
}
